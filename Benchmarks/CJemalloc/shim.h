#if __has_include(<jemalloc/jemalloc.h>)
#include <jemalloc/jemalloc.h>
#else
#error "jemalloc is missing. Install it: apt-get install libjemalloc-dev, or brew install jemalloc."
#endif
