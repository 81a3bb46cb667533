import { createApiServer } from "@capstan/apiserver";
import { silentLogger, type Logger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { seededRandom } from "@capstan/testing";
import { Agent, request } from "undici";
import { fuzzDefinition } from "./fuzz-definition.ts";
import { diceOf } from "./dice.ts";
import { type FuzzRequest, fuzzRequest } from "./fuzz-request.ts";
import { discover, type Surface } from "./surface.ts";

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Requests that are under way at once; 1 makes a run repeat itself. Default 8. */
  readonly parallel?: number;
}

/** An answer that says that the server, not the client, made a mistake. */
export interface Defect {
  readonly index: number;
  readonly request: FuzzRequest;
  readonly answer: string;
}

export interface FuzzReport {
  /** Number of answers by code; 0 stands for a connection that ended before one. */
  readonly codes: ReadonlyMap<number, number>;
  readonly defects: readonly Defect[];
  /** Errors in the server's log. */
  readonly errors: readonly string[];
}

/**
 * Answers of 500 and more, beside 501 for what is not served, that a real kube-apiserver gives as well, to requests of clients that are
 * wrong; each has a case of the conformance suite, which runs on both: B03, B03g, C29, F09, E12b, typed values, and lists of a
 * version to come.
 */
const upstreamsOwn = [
  /resourceVersion should not be set on objects to be created/,
  /failed to create typed patch object/,
  /cannot be decoded/,
  /the metadata of the applied configuration must be an object/,
  /invalid resourceVersion|resourceVersion must be a number/,
  /Too large resource version/,
  /lacks its merge key/,
];

const watchMs = 50;

const errorLog = (errors: string[]): Logger => {
  const log: Logger = {
    ...silentLogger,
    error: (message, fields) => void errors.push(`${message} ${JSON.stringify(fields ?? {})}`),
    child: () => log,
  };
  return log;
};

interface Answer {
  readonly code: number;
  readonly text: string;
}

const sendTo = (url: string, agent: Agent) => {
  return async ({ method, path, headers, body }: FuzzRequest): Promise<Answer> => {
    const isWatch = path.includes("watch=true");
    const ending = new AbortController();
    const timer = isWatch ? setTimeout(() => ending.abort(), watchMs) : undefined;
    try {
      const answer = await request(`${url}${path}`, {
        dispatcher: agent,
        method: method as "GET",
        headers,
        body: body ?? null,
        signal: ending.signal,
      });
      return {
        code: answer.statusCode,
        text:
          isWatch && answer.statusCode === 200
            ? (ending.abort(), await answer.body.dump().catch(() => undefined), "")
            : await answer.body.text(),
      };
    } catch (error) {
      return { code: isWatch ? 200 : 0, text: String(error) };
    } finally {
      clearTimeout(timer);
    }
  };
};

/** A definition that a request has deleted is made again now and then, and so are the namespaces. */
const prepare = async (send: (request: FuzzRequest) => Promise<Answer>): Promise<void> => {
  const post = (path: string, object: unknown): Promise<Answer> =>
    send({
      method: "POST",
      path,
      headers: { authorization: "Bearer fuzz-admin", "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(object)),
    });
  await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", fuzzDefinition);
  await post("/api/v1/namespaces", { metadata: { name: "fuzz" } });
};

const isDefect = ({ code, text }: Answer): boolean =>
  code === 0 || (code >= 500 && code !== 501 && !upstreamsOwn.some((pattern) => pattern.test(text)));

/** Sends made-up requests to a server of this process, all of them from one seed. */
export const fuzz = async ({ requests, seed, parallel = 8 }: FuzzOptions): Promise<FuzzReport> => {
  const errors: string[] = [];
  const server = createApiServer({
    clock: systemClock,
    random: cryptoRandom,
    log: errorLog(errors),
    tokens: { "fuzz-admin": { name: "admin", groups: ["system:masters"] } },
  });
  await server.start();
  const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: parallel, bodyTimeout: 60_000 });
  const send = sendTo(server.url, agent);
  const codes = new Map<number, number>();
  const defects: Defect[] = [];
  const get = async (path: string): Promise<string> =>
    (await send({ method: "GET", path, headers: { authorization: "Bearer fuzz-admin" } })).text;
  const surfaceWithDefinition = async (): Promise<Surface> => {
    for (;;) {
      await prepare(send);
      const surface = await discover(get);
      if (surface.targets.some(({ plural }) => plural === "things")) return surface;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  try {
    const surface = await surfaceWithDefinition();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < requests; index = next++) {
        if (index % 500 === 499) await prepare(send);
        const made = fuzzRequest(surface, diceOf(seededRandom(seed * 1_000_003 + index)));
        const answer = await send(made);
        codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
        if (isDefect(answer)) {
          defects.push({ index, request: made, answer: `${answer.code} ${answer.text.slice(0, 400)}` });
        }
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    return { codes, defects, errors };
  } finally {
    await agent.destroy();
    await server.stop();
  }
};
