import { createRequire } from "node:module";
import type S3rver from "s3rver";

/** Runs one of the S3 servers of npm as a program of its own: `serve.ts <package> <directory>`; tells the parent its port. */
const [name = "", directory = ""] = process.argv.slice(2);
const Server = createRequire(import.meta.url)(name) as typeof S3rver;
const server = new Server({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [
    { name: "data", configs: [] },
    { name: "listed", configs: [] },
  ],
});
const { port } = await server.run();
process.send?.(port);
