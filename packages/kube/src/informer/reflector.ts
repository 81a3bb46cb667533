import { CapstanError, type Clock, isCapstanError, type Logger, type Random } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { parseInTurns, shortJson } from "@capstan/schema/structural";
import { call, headerOf } from "../call.ts";
import { type AnswerSizes, anySize, type Connection } from "../connection.ts";
import type { HttpStream } from "../response-stream.ts";
import { answerError, answerTooLarge, connectionError, statusError } from "../errors.ts";
import { queryString } from "../paths.ts";
import { watchLines } from "../watch-lines.ts";
import { idleTimer } from "./idle-timer.ts";
import { isNewer } from "./resource-version.ts";
import { decodeLongWatchEvent, decodeWatchEvent, type WatchEvent } from "./watch-event.ts";

/** Where a reflector puts what it hears, in the order of a list (begin, objects, complete) followed by changes. */
export interface ReflectorSink {
  /** Undefined until a list was complete. */
  readonly position: string | undefined;
  beginList(): void;
  addListed(object: KubeObject): void;
  completeList(version: string): void;
  apply(object: KubeObject): void;
  remove(object: KubeObject): void;
  advance(version: string): void;
}

export interface ReflectorOptions {
  readonly connection: Connection;
  /** The path of the collection. */
  readonly path: string;
  readonly labelSelector?: string | undefined;
  /** Asks for metadata only; the server may answer with more. */
  readonly metadataOnly: boolean;
  readonly sink: ReflectorSink;
  readonly random: Random;
  readonly log: Logger;
  readonly onState: (state: "listing" | "watching" | "broken") => void;
}

const minDelayMs = 800;
/** With the jitter, `promptDelayMs` stays under 5 s and this under 30 s. */
const maxDelayMs = 25_000;
/** For a server that does not answer at all, to which asking is not a burden, and for the first loss of a good position. */
const promptDelayMs = 4_000;
const maxSpreadMs = 90;
const healthyMs = 60_000;
/** A watch that ends sooner than this without an event counts as a failure, so that it cannot spin. */
const briefMs = 1_000;
const pageSize = 500;
/** Answers that fail this often in a row make the reflector list again: the server may not like our version. */
const failuresBeforeList = 3;

const accept = (metadataOnly: boolean, kind: string): string =>
  metadataOnly ? `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json` : "application/json";

const initialEventsEnd = "k8s.io/initial-events-end";

/**
 * Follows one collection forever: lists it, watches it, and repairs itself. Only the signal stops it.
 *
 * needs a list -> (streaming, or pages where the server refuses that) -> watching -> on a break: watching again from the
 * last version; on 410, an undecodable line or a version that went backwards: needs a list.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #clock: Clock;
  #streaming = true;
  #needsList = true;
  /** That came since the last list began. */
  #bytes = 0;
  #failures = 0;
  #lostAt = Number.NEGATIVE_INFINITY;
  #delayMs = minDelayMs;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#clock = options.connection.clock;
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    while (!signal.aborted) {
      const startedAt = this.#clock.now();
      const outcome = await this.#attempt(signal);
      if (signal.aborted) return;
      const lasted = this.#clock.now() - startedAt;
      if (lasted >= healthyMs) this.#delayMs = minDelayMs;
      const waitMs = "error" in outcome ? this.#judge(outcome.error) : this.#afterEnd(outcome.heard, lasted);
      if (waitMs > 0) await this.#pause(waitMs, signal);
    }
  }

  async #attempt(signal: AbortSignal): Promise<{ readonly heard: boolean } | { readonly error: unknown }> {
    try {
      return { heard: await this.#round(signal) };
    } catch (error) {
      return { error };
    }
  }

  /** Returns the delay after a round without a failure, in milliseconds. */
  #afterEnd(heard: boolean, lastedMs: number): number {
    if (!heard && lastedMs < briefMs) return this.#nextDelay();
    this.#failures = 0;
    // A server that ends many watches at once is not to get them all back at once.
    return this.#needsList ? 0 : 10 + maxSpreadMs * this.#options.random.next();
  }

  /** Decides whether a failure needs a new list, and returns the delay before the next round. */
  #judge(error: unknown): number {
    const { log, onState } = this.#options;
    onState("broken");
    this.#failures += 1;
    if (isRefusedStreaming(error, this.#streaming && this.#needsList)) {
      this.#streaming = false;
      return 0;
    }
    const lost = isOneOf(error, ["kube.gone", "kube.undecodable", "kube.rolled_back", "kube.answer_too_large"]);
    const refused = isOneOf(error, ["kube.unknown", "kube.bad_request", "kube.invalid"]);
    if (lost || (refused && this.#failures >= failuresBeforeList)) this.#needsList = true;
    const prompt = isUnanswered(error) || (lost && this.#clock.now() - this.#lostAt >= healthyMs);
    if (lost) this.#lostAt = this.#clock.now();
    const asked = isCapstanError(error) && error.retry.kind === "after" ? error.retry.ms : 0;
    const waitMs = Math.round(Math.max(asked, this.#nextDelay(prompt ? promptDelayMs : maxDelayMs)));
    log.warn("the watch broke; restarting", {
      error: error instanceof Error ? error.message : String(error),
      relist: this.#needsList,
      waitMs,
    });
    return waitMs;
  }

  #nextDelay(limitMs = maxDelayMs): number {
    const delayMs = Math.min(limitMs, this.#delayMs);
    this.#delayMs = Math.min(limitMs, this.#delayMs * 2);
    return delayMs * (0.8 + 0.4 * this.#options.random.next());
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(ms, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** One list or one watch; true when it brought anything. */
  async #round(signal: AbortSignal): Promise<boolean> {
    if (!this.#needsList) return this.#watch(false, signal);
    this.#options.onState("listing");
    this.#options.sink.beginList();
    this.#bytes = 0;
    if (this.#streaming) return this.#watch(true, signal);
    await this.#listPages(signal);
    this.#needsList = false;
    return true;
  }

  async #listPages(signal: AbortSignal): Promise<void> {
    const { connection, path, labelSelector, metadataOnly, sink } = this.#options;
    const headers = { accept: accept(metadataOnly, "PartialObjectMetadataList") };
    let next: string | undefined;
    let version = "";
    do {
      const query = queryString({ labelSelector, limit: pageSize, continue: next });
      const answer = await call(connection, { method: "GET", path: path + query, headers, signal });
      this.#count(answer.body.length);
      const page = (await parseInTurns(answer.body)) as {
        readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
        readonly items?: readonly KubeObject[] | null;
      };
      for (const item of page.items ?? []) sink.addListed(item);
      version = page.metadata?.resourceVersion ?? version;
      next = page.metadata?.continue === "" ? undefined : page.metadata?.continue;
    } while (next !== undefined);
    sink.completeList(version);
  }

  async #watch(withList: boolean, signal: AbortSignal): Promise<boolean> {
    const { connection, path, labelSelector, metadataOnly, sink, random } = this.#options;
    const timeoutSeconds = 270 + Math.floor(random.next() * 20);
    const query = queryString({
      watch: "true",
      allowWatchBookmarks: "true",
      timeoutSeconds,
      labelSelector,
      ...(withList
        ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
        : { resourceVersion: sink.position }),
    });
    const headers = { accept: accept(metadataOnly, "PartialObjectMetadata") };
    const name = `watch ${path}`;
    const stop = new AbortController();
    const forward = (): void => stop.abort(signal.reason);
    signal.addEventListener("abort", forward, { once: true });
    const idle = idleTimer(this.#clock, (timeoutSeconds + 5) * 1000, () => stop.abort(silence(name)));
    try {
      const stream = await connection.open({ method: "GET", path: path + query, headers, signal: stop.signal });
      idle.touch();
      return await this.#follow(stream, name, () => idle.touch());
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : connectionError(error, name, undefined);
    } finally {
      idle.stop();
      signal.removeEventListener("abort", forward);
      stop.abort();
    }
  }

  async #follow(stream: HttpStream, name: string, touch: () => void): Promise<boolean> {
    const now = this.#clock.now();
    if (stream.status !== 200) {
      const retryAfter = headerOf(stream.headers, "retry-after");
      const body = await stream.body.text(this.#sizes.answer);
      throw answerError({ status: stream.status, body, retryAfter, call: name, now });
    }
    if (!this.#needsList) this.#options.onState("watching");
    let heard = false;
    for await (const lines of watchLines(stream.body, this.#sizes.answer)) {
      touch();
      for (const line of lines) {
        heard = true;
        this.#count(line.length);
        const event = line.length <= shortJson ? decodeWatchEvent(line) : await decodeLongWatchEvent(line);
        if (event.type === "ERROR") throw statusError(event.object, name, this.#clock.now());
        this.#take(event);
      }
    }
    return heard;
  }

  get #sizes(): AnswerSizes {
    return this.#options.connection.sizes ?? anySize;
  }

  /** Counts the bytes that are kept until the next list, which therefore begins in time. */
  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#sizes.list) throw answerTooLarge("a list", this.#sizes.list);
  }

  #take(event: Exclude<WatchEvent, { readonly type: "ERROR" }>): void {
    const { sink, onState } = this.#options;
    const { type, object } = event;
    const version = object.metadata.resourceVersion ?? "";
    if (this.#needsList) {
      if (type === "BOOKMARK" && object.metadata.annotations?.[initialEventsEnd] === "true") {
        sink.completeList(version);
        this.#needsList = false;
        onState("watching");
      } else if (type === "DELETED") sink.remove(object);
      else if (type !== "BOOKMARK") sink.addListed(object);
      return;
    }
    if (isNewer(sink.position, version)) throw rolledBack(sink.position, version);
    if (type === "BOOKMARK") sink.advance(version);
    else if (type === "DELETED") sink.remove(object);
    else sink.apply(object);
  }
}

/** Servers without streaming lists refuse the parameters of one. */
const isRefusedStreaming = (error: unknown, asked: boolean): boolean =>
  asked && isOneOf(error, ["kube.bad_request", "kube.invalid"]);

const isOneOf = (error: unknown, codes: readonly string[]): boolean =>
  isCapstanError(error) && codes.includes(error.code);

const isUnanswered = (error: unknown): boolean =>
  isOneOf(error, ["kube.unavailable", "kube.timeout"]) && (error as CapstanError).answered !== true;

const silence = (name: string): CapstanError =>
  new CapstanError({
    code: "kube.timeout",
    reason: "Timeout",
    message: `${name}: no event for longer than the server keeps a watch open; closing the connection`,
  });

const rolledBack = (position: string | undefined, version: string): CapstanError =>
  new CapstanError({
    code: "kube.rolled_back",
    reason: "RolledBack",
    message: `the watch went from version ${position} back to ${version}: the server's data was restored; listing again`,
  });
