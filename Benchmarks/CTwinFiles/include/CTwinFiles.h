#ifndef CTWIN_FILES_H
#define CTWIN_FILES_H

/* Syncs the file system of an open file. Returns -1 and sets errno on failure. */
int twin_sync_file_system(int descriptor);

#endif
