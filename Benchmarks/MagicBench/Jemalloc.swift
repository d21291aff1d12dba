#if jemalloc
  import CJemalloc

  /// A reference that makes the linker keep the library; the allocator is detected at run time.
  let jemallocControl = mallctl
#endif
