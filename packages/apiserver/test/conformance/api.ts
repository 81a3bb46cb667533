import { Agent, request } from "undici";

/** A server under test and the credentials the cases use. Users: admin (system:masters), alice (group devs), bob. */
export interface Target {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly tokens: { readonly admin: string; readonly alice: string; readonly bob: string };
  /** Client certificate with CN=carol, O=team-a, O=team-b. */
  readonly carol: { readonly certificate: string; readonly key: string };
}

export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts of the `Warning: 299` headers. */
  readonly warnings: readonly string[];
  readonly text: string;
  /** Parsed JSON; `undefined` when the body is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of many shapes, looked into by every case
  readonly body: any;
}

export interface CallOptions {
  /** A user, `carol` by certificate, `nobody` without credentials, or a bearer token. Default admin. */
  readonly as?: string;
  /** JSON unless it is text or bytes. */
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
}

export interface WatchEvent {
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- objects of many kinds
  readonly object: any;
}

/** An open watch. */
export interface OpenWatch {
  /** The next event; rejects when the stream ends first. */
  next(): Promise<WatchEvent>;
  /** Everything until the server ends the stream. */
  rest(): Promise<readonly WatchEvent[]>;
  close(): void;
}

export interface Api {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  put(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  delete(path: string, options?: CallOptions): Promise<Answer>;
  mergePatch(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  jsonPatch(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  strategicPatch(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  /** Server-side apply; without a manager the parameter is left out. */
  apply(path: string, manager: string | undefined, body: unknown, options?: CallOptions): Promise<Answer>;
  watch(path: string, options?: CallOptions): Promise<OpenWatch>;
  close(): Promise<void>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const warningTexts = (header: string | string[] | undefined): readonly string[] =>
  [header ?? []]
    .flat()
    .flatMap((value) => [...value.matchAll(/299 \S+ "((?:\\.|[^"\\])*)"/g)])
    .map((match) => (match[1] ?? "").replaceAll(/\\(.)/g, "$1"));

const encodedBody = (body: unknown): string | Buffer | undefined =>
  body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** Splits a watch stream into events. */
async function* eventsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<WatchEvent> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((text) => text !== "")) {
      yield JSON.parse(line) as WatchEvent;
    }
  }
}

/** A small client that shows everything of an answer. */
export const createApi = (target: Target): Api => {
  const plain = new Agent({ connect: { ca: target.caCertificate }, connections: 32 });
  const byCertificate = new Agent({
    connect: { ca: target.caCertificate, cert: target.carol.certificate, key: target.carol.key },
  });
  const authorization = (as: string): Record<string, string> => {
    if (as === "nobody" || as === "carol") {
      return {};
    }
    const token = (target.tokens as Readonly<Record<string, string>>)[as] ?? as;
    return { authorization: `Bearer ${token}` };
  };
  const send = (method: string, path: string, options: CallOptions) => {
    const { as = "admin", body, type = "application/json", accept, query = {} } = options;
    const url = new URL(target.url + path);
    for (const [name, value] of Object.entries(query)) {
      url.searchParams.append(name, String(value));
    }
    const content = encodedBody(body);
    return request(url, {
      method: method as "GET",
      dispatcher: as === "carol" ? byCertificate : plain,
      headers: {
        ...authorization(as),
        ...(content === undefined ? {} : { "content-type": type }),
        ...(accept === undefined ? {} : { accept }),
        ...options.headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
  };
  const call: Api["call"] = async (method, path, options = {}) => {
    const answer = await send(method, path, options);
    const text = await answer.body.text();
    return {
      code: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      warnings: warningTexts(answer.headers["warning"]),
      text,
      body: parsed(text),
    };
  };
  const patch =
    (type: string) =>
    (path: string, body: unknown, options: CallOptions = {}): Promise<Answer> =>
      call("PATCH", path, { type, ...options, body });
  return {
    call,
    get: (path, options) => call("GET", path, options),
    post: (path, body, options) => call("POST", path, { ...options, body }),
    put: (path, body, options) => call("PUT", path, { ...options, body }),
    delete: (path, options) => call("DELETE", path, options),
    mergePatch: patch("application/merge-patch+json"),
    jsonPatch: patch("application/json-patch+json"),
    strategicPatch: patch("application/strategic-merge-patch+json"),
    apply: (path, manager, body, options = {}) =>
      patch("application/apply-patch+yaml")(path, body, {
        ...options,
        query: { ...(manager === undefined ? {} : { fieldManager: manager }), ...options.query },
      }),
    watch: async (path, options = {}) => {
      const answer = await send("GET", path, { ...options, query: { watch: true, ...options.query } });
      if (answer.statusCode !== 200) {
        throw new Error(`watch of ${path}: ${answer.statusCode} ${await answer.body.text()}`);
      }
      const events = eventsOf(answer.body as AsyncIterable<Buffer>);
      return {
        next: async () => {
          const { value, done } = await events.next();
          if (done === true) {
            throw new Error(`the watch of ${path} ended`);
          }
          return value;
        },
        rest: async () => {
          const all: WatchEvent[] = [];
          for await (const event of events) {
            all.push(event);
          }
          return all;
        },
        close: () => {
          answer.body.on("error", () => undefined);
          answer.body.destroy();
        },
      };
    },
    close: async () => {
      await Promise.all([plain.destroy(), byCertificate.destroy()]);
    },
  };
};
