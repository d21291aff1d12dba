#if jemalloc
  import CJemalloc

  /// Named so that the linker keeps the library; who allocates is found out in the process.
  let jemallocControl = mallctl
#endif
