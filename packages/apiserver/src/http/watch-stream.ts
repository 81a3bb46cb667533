import { readableRevision } from "../registry/list.ts";
import { StatusError } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { selectionOf } from "../registry/selectors.ts";
import type { Served } from "../registry/served.ts";
import { openWatch, type Watch, type WatchEvent, type WatchHandlers } from "../registry/watch.ts";
import { chunk, ChunkedStream } from "./chunked-stream.ts";
import type { RequestContext } from "./context.ts";
import type { ListOptions } from "./list-options.ts";
import type { Representation } from "./representation.ts";

const minuteMs = 60_000;
const bookmarkEveryMs = 15_000;

interface StreamOptions {
  /** `undefined`: everything there is first. */
  readonly since: number | undefined;
  readonly bookmarks: boolean;
  /** Annotate the bookmark that follows the initial state. */
  readonly marksInitial: boolean;
  readonly timeoutMs: number;
}

const streamOptions = ({ core }: RequestContext, options: ListOptions): StreamOptions => {
  const { resourceVersion: revision, sendInitialEvents, allowWatchBookmarks: bookmarks, timeoutSeconds } = options;
  if (revision !== "" && !/^\d{1,19}$/.test(revision)) {
    throw new StatusError(500, "", `Invalid value: ${JSON.stringify(revision)}: resourceVersion must be a number`);
  }
  const fromStart = sendInitialEvents ?? (revision === "" || revision === "0");
  if (fromStart && revision !== "") {
    readableRevision(revision, core.storage);
  }
  return {
    since: fromStart ? undefined : revision === "" || revision === "0" ? core.storage.revision : Number(revision),
    bookmarks,
    marksInitial: fromStart && bookmarks,
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : (30 + 30 * core.random.next()) * minuteMs,
  };
};

const expired = (revision: number, floor: number): string =>
  JSON.stringify(new StatusError(410, "Expired", `too old resource version: ${revision} (${floor})`).status);

const line = (type: WatchEvent["type"], served: Served, representation: Representation, isFirst: boolean): string =>
  `{"type":"${type}","object":${representation.eventObject(served, isFirst)}}\n`;

/** The event as it is sent; made once for all watchers with the same view. */
const encoded = (event: WatchEvent, representation: Representation, isFirst: boolean): Buffer => {
  const make = (): Buffer => chunk(line(event.type, event.served, representation, isFirst));
  return event.shared === undefined ? make() : (representation.events?.get(event.shared, make) ?? make());
};

/** Writes one watch to one connection. */
class WatchStream {
  readonly #output: ChunkedStream;
  readonly #representation: Representation;
  #isFirst = true;

  constructor(output: ChunkedStream, representation: Representation) {
    this.#output = output;
    this.#representation = representation;
  }

  event(event: WatchEvent): void {
    this.#output.write(encoded(event, this.#representation, this.#isFirst));
    this.#isFirst = false;
  }

  /** Many at once: as one chunk, since each costs by itself. */
  present(objects: readonly Served[]): void {
    const isFirst = this.#isFirst;
    const lines = objects.map((served, index) => line("ADDED", served, this.#representation, isFirst && index === 0));
    this.#output.write(chunk(lines.join("")));
    this.#isFirst = false;
  }

  /** Without a revision nothing is sent. */
  bookmark(revision: number | undefined, annotations?: Readonly<Record<string, string>>): void {
    if (revision !== undefined) {
      const object = this.#representation.bookmark(String(revision), annotations);
      this.#output.write(chunk(`{"type":"BOOKMARK","object":${object}}\n`));
    }
  }

  error(status: string): void {
    this.#output.write(chunk(`{"type":"ERROR","object":${status}}\n`));
  }

  drained(): Promise<void> {
    return this.#output.drained();
  }

  end(): void {
    this.#output.end();
  }
}

const initialEnd = { "k8s.io/initial-events-end": "true" } as const;

/** Writes what a watch is told; `end.watch` is called when it has ended by itself. */
const watchHandlers = (
  { core }: RequestContext,
  stream: WatchStream,
  { marksInitial }: StreamOptions,
  end: { isExpired: boolean; readonly watch: () => void },
): WatchHandlers => ({
  event: (event) => stream.event(event),
  present: (objects) => stream.present(objects),
  initial: (revision) => {
    if (marksInitial) {
      stream.bookmark(revision, initialEnd);
    }
  },
  drained: () => stream.drained(),
  failed: (error) => {
    core.log.error("a watch ended because an object could not be converted", { error: String(error) });
    end.watch();
  },
  expired: (revision, floor) => {
    stream.error(expired(revision, floor));
    end.isExpired = true;
    end.watch();
  },
});

/** Answers a watch request and returns when the stream has ended. */
export const streamWatch = async (
  context: RequestContext,
  definition: ResourceDefinition,
  representation: Representation,
  given: ListOptions,
): Promise<undefined> => {
  const { core, request, response, info } = context;
  const options = streamOptions(context, given);
  const selection = selectionOf(definition, given);
  await core.storage.settled();
  const ended = Promise.withResolvers<void>();
  const { history } = core.storage.collection(definition.storage.store);
  response.writeHead(200, { "Content-Type": representation.contentType, "Cache-Control": "no-cache, private" });
  context.audit?.started(200);
  const stream = new WatchStream(
    new ChunkedStream(request, response, { waiting: context.waiting, user: context.user.name }),
    representation,
  );
  const subject = { namespace: info.namespace, selection, since: options.since, turn: context.turn };
  const end = { isExpired: false, watch: ended.resolve };
  const watch = openWatch(core.storage, definition, subject, watchHandlers(context, stream, options, end));
  if (watch === undefined) {
    stream.error(expired(options.since ?? 0, history.floor));
    stream.end();
    return undefined;
  }
  const stopBookmarks = options.bookmarks ? everyBookmark(context, stream, watch) : undefined;
  const stopTimeout = core.clock.schedule(options.timeoutMs, () => ended.resolve());
  const forgetStop = context.onStop(() => ended.resolve());
  response.once("close", () => ended.resolve());
  if (response.destroyed) {
    // The client has gone before: nothing more is heard of it.
    ended.resolve();
  }
  await ended.promise;
  stopTimeout();
  forgetStop();
  stopBookmarks?.();
  watch.stop();
  if (options.bookmarks && !end.isExpired) {
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
