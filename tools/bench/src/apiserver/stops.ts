import { once } from "node:events";
import { Agent, request } from "undici";
import { hostileDefinition, things } from "./hostile-definition.ts";
import type { HostileRequest } from "./hostile-request.ts";
import { hostileRequests } from "./hostile-requests.ts";
import { LoadClient } from "./load-client.ts";
import type { Options } from "./options.ts";
import type { Stop } from "./stop-watch.ts";
import { benchToken, startEmbedded, type Subject } from "./subject.ts";

const longestAllowedMs = 50;
const objects = 10_000;

const readStop = async ({ process: child }: Subject): Promise<Stop> => {
  child.send("stops");
  const [stop] = (await once(child, "message")) as [Stop];
  return stop;
};

const prepare = async (load: LoadClient): Promise<void> => {
  await load.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", hostileDefinition);
  for (;;) {
    try {
      await load.send("GET", things);
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const path = "/api/v1/namespaces/kube-public/configmaps";
  for (let from = 0; from < objects; from += 500) {
    const batch = Array.from({ length: 500 }, (_, index) => ({
      metadata: { name: `c-${from + index}` },
      data: { text: "x".repeat(500) },
    }));
    await Promise.all(batch.map((object) => load.send("POST", path, object)));
  }
};

/** Sends it and answers with the code. */
const send = async (subject: Subject, agent: Agent, { method, path, type, body }: HostileRequest): Promise<number> => {
  const { statusCode, body: answer } = await request(`${subject.url}${path}`, {
    dispatcher: agent,
    method,
    headers: {
      authorization: `Bearer ${benchToken}`,
      ...(body === undefined ? { accept: type ?? "application/json" } : { "content-type": type ?? "application/json" }),
    },
    body: body ?? null,
  });
  await answer.dump({ limit: 2 ** 30 });
  return statusCode;
};

/** `--stops`: how long a single request can keep the embedded server from all others. */
export const stops = async (options: Options): Promise<void> => {
  const subject = await startEmbedded(options);
  const load = new LoadClient(subject.url, 16);
  const agent = new Agent({ connect: { rejectUnauthorized: false }, bodyTimeout: 0, headersTimeout: 0 });
  try {
    await prepare(load);
    let longest: { readonly title: string; readonly stop: Stop } | undefined;
    console.log("  thread    clock  code  request");
    for (const hostile of hostileRequests.filter(({ title }) => options.only.test(title))) {
      await readStop(subject);
      const code = await send(subject, agent, hostile);
      // What follows from it belongs to it: watchers, discovery, garbage collection.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const stop = await readStop(subject);
      console.log(
        `${stop.cpuMs.toFixed(0).padStart(5)} ms ${stop.wallMs.toFixed(0).padStart(5)} ms  ${code}  ${hostile.title}`,
      );
      if (longest === undefined || stop.cpuMs > longest.stop.cpuMs) longest = { title: hostile.title, stop };
    }
    if (longest === undefined) return;
    const verdict = longest.stop.cpuMs <= longestAllowedMs ? "met" : "missed";
    console.log(
      `longest stop of the event loop by any single request: ${longest.stop.cpuMs.toFixed(0)} ms (${longest.title}); at most ${longestAllowedMs} ms: ${verdict}`,
    );
  } finally {
    await load.close();
    await agent.destroy();
    await subject.stop();
  }
};
