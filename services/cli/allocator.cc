// Settings of jemalloc, which replaces malloc: entries are allocated by one thread and freed by
// another, and what a burst of work took is to go back to the system soon after, also when nothing
// else happens. jemalloc reads this variable when the process starts.
extern "C" __attribute__((visibility("default"))) const char* malloc_conf;

const char* malloc_conf = "background_thread:true,dirty_decay_ms:2000,muzzy_decay_ms:0";
