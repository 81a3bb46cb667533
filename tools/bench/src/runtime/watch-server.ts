import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { kinds } from "./kinds.ts";
import { asAsked, synthetic } from "./synthetic.ts";

/** Request of the measured process to the server: changes at a pace, or without one as fast as it takes them. */
export interface ChurnOrder {
  readonly events: number;
  readonly perSecond?: number;
}

/**
 * An API server that streams `objects` of each kind and then, on demand, changes. A process of its own, so that its work is not counted.
 */
const serve = async (objects: number): Promise<void> => {
  const watchers = new Map<number, { readonly response: ServerResponse; readonly metadataOnly: boolean }>();
  let version = kinds.length * objects + 1;

  const stream = async (kindIndex: number, metadataOnly: boolean, response: ServerResponse): Promise<void> => {
    const kind = kinds[kindIndex];
    if (kind === undefined) throw new Error("no such kind");
    for (let index = 0; index < objects; index++) {
      const object = asAsked(synthetic(kind, index, index + 1), metadataOnly);
      if (!response.write(`${JSON.stringify({ type: "ADDED", object })}\n`)) await once(response, "drain");
      if (index % 50 === 0) await nextTurn();
    }
    const annotations = { "k8s.io/initial-events-end": "true" };
    response.write(
      `${JSON.stringify({ type: "BOOKMARK", object: { metadata: { resourceVersion: String(version), annotations } } })}\n`,
    );
    watchers.set(kindIndex, { response, metadataOnly });
  };

  const change = async (): Promise<void> => {
    const kindIndex = version % kinds.length;
    const kind = kinds[kindIndex];
    const watcher = watchers.get(kindIndex);
    if (kind === undefined || watcher === undefined) throw new Error("nobody watches this kind");
    version += 1;
    const object = asAsked(synthetic(kind, version % objects, version), watcher.metadataOnly);
    const { response } = watcher;
    if (!response.write(`${JSON.stringify({ type: "MODIFIED", object })}\n`)) await once(response, "drain");
  };

  const churn = async ({ events, perSecond = Number.POSITIVE_INFINITY }: ChurnOrder): Promise<void> => {
    const startedAt = performance.now();
    for (let sent = 0; sent < events; sent++) {
      await change();
      const aheadMs = (1000 * sent) / perSecond - (performance.now() - startedAt);
      if (aheadMs > 50) await pause(aheadMs);
      else if (sent % 50 === 0) await nextTurn();
    }
    process.send?.({ done: true });
  };

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://server").pathname;
    response.writeHead(200, { "content-type": "application/json" });
    void stream(
      kinds.findIndex(({ plural }) => path.endsWith(`/${plural}`)),
      request.headers.accept?.includes("as=PartialObjectMetadata;") === true,
      response,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.on("message", (order: ChurnOrder) => void churn(order));
  process.send?.({ port: (server.address() as AddressInfo).port });
};

await serve(Number(process.argv[2]));
