import { duplexPair } from "node:stream";
import { SpdyConnection, type SpdyStream } from "@capstan/spdy";
import { expect, it } from "vitest";

it("the README's stream arrives on the other side with its headers", async () => {
  const [socket, other] = duplexPair();
  const arrived = Promise.withResolvers<SpdyStream>();
  const accept = (stream: SpdyStream): boolean => {
    arrived.resolve(stream);
    return true;
  };
  const server = new SpdyConnection(other, { role: "server", accept });
  const connection = new SpdyConnection(socket, { role: "client" });
  const stream = connection.open({ port: "2379", requestid: "0", streamtype: "data" });
  const { headers } = await arrived.promise;
  expect(headers).toEqual({ port: "2379", requestid: "0", streamtype: "data" });
  stream.destroy();
  connection.close();
  server.close();
});
