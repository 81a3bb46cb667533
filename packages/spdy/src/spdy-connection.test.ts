import { once } from "node:events";
import { duplexPair } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SpdyConnection, type SpdyStream } from "./spdy-connection.ts";
import { controlFrame, dataFrame, FrameType } from "./spdy-frames.ts";

/** Both ends of a connection, and the streams that the server has accepted. */
const connected = () => {
  const [here, there] = duplexPair();
  const accepted: SpdyStream[] = [];
  const server = new SpdyConnection(there, { role: "server", accept: (stream) => accepted.push(stream) > 0 });
  return { here, server, accepted };
};

const streamOf = async (accepted: readonly SpdyStream[]): Promise<SpdyStream> => {
  while (accepted.length === 0) await nextTurn();
  return accepted[0] as SpdyStream;
};

describe("a SPDY connection", () => {
  it("holds the sender back while nobody reads", async () => {
    const { here, accepted } = connected();
    const sent = new SpdyConnection(here, { role: "client" }).open({ name: "value" });
    for (let count = 0; count < 100; count += 1) sent.write(Buffer.alloc(10_000));
    sent.end();
    const stream = await streamOf(accepted);
    expect(stream.headers).toEqual({ name: "value" });
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
    expect(stream.readableLength).toBeLessThan(200_000);
    expect((await buffer(stream)).length).toBe(1_000_000);
  });

  it("carries both directions of a stream, of which one may end before the other", async () => {
    const { here, accepted } = connected();
    const asking = new SpdyConnection(here, { role: "client" }).open({});
    asking.end("question");
    const answering = await streamOf(accepted);
    expect(await text(answering)).toBe("question");
    answering.end("answer");
    expect(await text(asking)).toBe("answer");
  });

  it("cuts its streams when it is gone, and says so to those that have not ended", async () => {
    const { here, server, accepted } = connected();
    const client = new SpdyConnection(here, { role: "client" });
    const ended = client.open({});
    const ending = await streamOf(accepted);
    const errors: Error[] = [];
    for (const stream of [ended, ending]) {
      stream.on("error", (error) => errors.push(error)).end();
      stream.resume();
    }
    await Promise.all([once(ended, "end"), once(ending, "end")]);
    accepted.length = 0;
    const opened = client.open({});
    const stream = await streamOf(accepted);
    const told = [opened, stream].map((each) => once(each, "error") as Promise<Error[]>);
    client.close();
    await Promise.all([client.closed, server.closed]);
    expect(stream.destroyed).toBe(true);
    const messages = (await Promise.all(told)).map(([error]) => error?.message);
    expect(new Set(messages)).toEqual(new Set(["the connection of the stream is closed"]));
    expect(errors).toEqual([]);
  });

  it("refuses streams above a thousand that are open at a time", async () => {
    const { here, accepted } = connected();
    const client = new SpdyConnection(here, { role: "client" });
    for (let count = 0; count < 1_000; count += 1) client.open({});
    const [error] = (await once(client.open({}), "error")) as [Error];
    expect(error.message).toBe("the other side has reset the stream (reason 3)");
    expect(accepted).toHaveLength(1_000);
    // One that has gone makes room for another one.
    await once((await streamOf(accepted)).destroy(), "close");
    accepted.length = 0;
    const ended = once(client.open({}).resume(), "end");
    (await streamOf(accepted)).end();
    await ended;
  });

  it("says of what its connection has died", async () => {
    const { here } = connected();
    const stream = new SpdyConnection(here, { role: "client" }).open({});
    const cause = new Error("read ECONNRESET");
    here.destroy(cause);
    const [error] = (await once(stream, "error")) as [Error];
    expect(error).toMatchObject({ message: "the connection of the stream is closed", cause });
  });

  it("sends pings back", async () => {
    const { here } = connected();
    const ping = controlFrame(FrameType.ping, 7);
    here.write(ping);
    const [echo] = (await once(here, "data")) as [Buffer];
    expect(echo).toEqual(ping);
  });

  it.each([
    { what: "data of a stream that nobody has opened", frame: dataFrame(1, Buffer.from("x"), false) },
    { what: "a stream with the number of a server's", frame: controlFrame(FrameType.synStream, 2, 0, 0) },
    { what: "a control frame that is longer than any", frame: controlFrame(FrameType.headers, Buffer.alloc(20_000)) },
    { what: "an end inside a control frame", frame: controlFrame(FrameType.rstStream, 1) },
  ])("is closed after $what", async ({ frame }) => {
    const { here, server } = connected();
    here.write(frame);
    const [said] = (await once(here, "data")) as [Buffer];
    expect(said).toEqual(controlFrame(FrameType.goAway, 0, 1));
    await server.closed;
  });
});
