#ifndef CTWIN_FILES_H
#define CTWIN_FILES_H

/* Brings all that was written to the file system of an open file to the disk; -1 with errno where it
   failed. */
int twin_sync_file_system(int descriptor);

#endif
