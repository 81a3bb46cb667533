// Loaded into the command where another process had to start it: ends it when that process is gone, in whatever way.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel alone keeps nobody alive.
process.channel?.unref();
