import type { ServerResponse } from "node:http";
import { readableRevision } from "../registry/list.ts";
import { invalidOption, StatusError } from "../registry/status-error.ts";
import type { ResourceDefinition } from "../registry/types.ts";
import { selectionOf } from "../registry/selectors.ts";
import { openWatch, type Watch, type WatchEvent } from "../registry/watch.ts";
import type { RequestContext } from "./context.ts";
import { numberOption } from "./query-options.ts";
import type { Representation } from "./representation.ts";
import { isTrue } from "./request-info.ts";

const minuteMs = 60_000;
const bookmarkEveryMs = 15_000;
/** A watcher that does not read is dropped when this much waits for it. */
const maximumBacklog = 16 * 1024 * 1024;

interface StreamOptions {
  /** `undefined`: everything there is first. */
  readonly since: number | undefined;
  readonly bookmarks: boolean;
  /** Annotate the bookmark that follows the initial state. */
  readonly marksInitial: boolean;
  readonly timeoutMs: number;
}

const refuse = (reason: "FieldValueForbidden" | "FieldValueRequired", message: string): StatusError =>
  invalidOption("ListOptions", "resourceVersionMatch", reason, message);

const streamOptions = ({ core, url: { searchParams: query } }: RequestContext): StreamOptions => {
  const match = query.get("resourceVersionMatch") ?? "";
  const revision = query.get("resourceVersion") ?? "";
  const sendsInitial = query.get("sendInitialEvents");
  if (sendsInitial === null && match !== "") {
    throw refuse(
      "FieldValueForbidden",
      "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    );
  }
  if (sendsInitial !== null && match !== "NotOlderThan") {
    throw refuse(
      "FieldValueRequired",
      "Required value: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    );
  }
  if (revision !== "" && !/^\d{1,19}$/.test(revision)) {
    throw new StatusError(500, "", `Invalid value: ${JSON.stringify(revision)}: resourceVersion must be a number`);
  }
  const fromStart = sendsInitial === null ? revision === "" || revision === "0" : isTrue(sendsInitial);
  if (fromStart && revision !== "") {
    readableRevision(revision, core.storage);
  }
  const bookmarks = isTrue(query.get("allowWatchBookmarks"));
  const seconds = numberOption(query, "timeoutSeconds") ?? 0;
  return {
    since: fromStart ? undefined : revision === "" || revision === "0" ? core.storage.revision : Number(revision),
    bookmarks,
    marksInitial: fromStart && bookmarks,
    timeoutMs: seconds > 0 ? seconds * 1000 : (30 + 30 * core.random.next()) * minuteMs,
  };
};

const expired = (revision: number, floor: number): string =>
  JSON.stringify(new StatusError(410, "Expired", `too old resource version: ${revision} (${floor})`).status);

/** Encodings of shared events, by representation; kept on the change itself, so that they live as long as it. */
const encoded = (event: WatchEvent, representation: Representation, isFirst: boolean): Buffer => {
  const known = isFirst ? undefined : event.shared?.encodings.get(representation);
  if (known !== undefined) {
    return known;
  }
  const text = `{"type":"${event.type}","object":${representation.eventObject(event.served, isFirst)}}\n`;
  const buffer = Buffer.from(text);
  if (!isFirst) {
    event.shared?.encodings.set(representation, buffer);
  }
  return buffer;
};

/** Writes one watch to one connection. */
class WatchStream {
  readonly #response: ServerResponse;
  readonly #representation: Representation;
  #sent = 0;
  #isCorked = false;

  constructor(response: ServerResponse, representation: Representation) {
    this.#response = response;
    this.#representation = representation;
  }

  event(event: WatchEvent): void {
    this.#write(encoded(event, this.#representation, this.#sent === 0));
    this.#sent++;
  }

  /** Without a revision nothing is sent. */
  bookmark(revision: number | undefined, annotations?: Readonly<Record<string, string>>): void {
    if (revision === undefined) {
      return;
    }
    this.#write(`{"type":"BOOKMARK","object":${this.#representation.bookmark(String(revision), annotations)}}\n`);
  }

  error(status: string): void {
    this.#write(`{"type":"ERROR","object":${status}}\n`);
  }

  /** Resolves when the client has taken enough of what was written, or has gone. */
  async drained(): Promise<void> {
    this.#uncork();
    if (this.#response.writableNeedDrain && !this.#response.destroyed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#response.once("drain", resolve);
      this.#response.once("close", resolve);
      await promise;
      this.#response.off("drain", resolve);
      this.#response.off("close", resolve);
    }
  }

  end(): void {
    this.#uncork();
    this.#response.end();
  }

  #write(chunk: Buffer | string): void {
    if (this.#response.writableLength > maximumBacklog) {
      this.#response.destroy();
      return;
    }
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#response.cork();
      process.nextTick(() => this.#uncork());
    }
    this.#response.write(chunk);
  }

  #uncork(): void {
    if (this.#isCorked) {
      this.#isCorked = false;
      this.#response.uncork();
    }
  }
}

const initialEnd = { "k8s.io/initial-events-end": "true" } as const;

/** Answers a watch request and returns when the stream has ended. */
export const streamWatch = async (
  context: RequestContext,
  definition: ResourceDefinition,
  representation: Representation,
): Promise<undefined> => {
  const { core, response, info, url } = context;
  const options = streamOptions(context);
  const selection = selectionOf(definition, {
    labelSelector: url.searchParams.get("labelSelector") ?? "",
    fieldSelector: url.searchParams.get("fieldSelector") ?? "",
  });
  await core.storage.settled();
  const stream = new WatchStream(response, representation);
  const ended = Promise.withResolvers<void>();
  const { history } = core.storage.collection(definition.storage.store);
  response.writeHead(200, { "Content-Type": representation.contentType, "Cache-Control": "no-cache, private" });
  response.flushHeaders();
  const request = { namespace: info.namespace, selection, since: options.since };
  const watch = openWatch(core.storage, definition, request, {
    event: (event) => stream.event(event),
    initial: (revision) => {
      if (options.marksInitial) {
        stream.bookmark(revision, initialEnd);
      }
    },
    drained: () => stream.drained(),
    failed: (error) => {
      core.log.error("a watch ended because an object could not be converted", { error: String(error) });
      ended.resolve();
    },
  });
  if (watch === undefined) {
    stream.error(expired(options.since ?? 0, history.floor));
    stream.end();
    return undefined;
  }
  const stopBookmarks = options.bookmarks ? everyBookmark(context, stream, watch) : undefined;
  const stopTimeout = core.clock.schedule(options.timeoutMs, () => ended.resolve());
  const forgetStop = context.onStop(() => ended.resolve());
  response.once("close", () => ended.resolve());
  await ended.promise;
  stopTimeout();
  forgetStop();
  stopBookmarks?.();
  watch.stop();
  if (options.bookmarks) {
    stream.bookmark(watch.revision);
  }
  stream.end();
  return undefined;
};

/** Sends bookmarks from time to time until the returned function is called. */
const everyBookmark = ({ core }: RequestContext, stream: WatchStream, watch: Watch): (() => void) => {
  let cancel: () => void;
  const arm = (): void => {
    cancel = core.clock.schedule(bookmarkEveryMs, () => {
      stream.bookmark(watch.revision);
      arm();
    });
  };
  arm();
  return () => cancel();
};
