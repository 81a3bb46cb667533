import { once } from "node:events";
import { connect, createCache } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { kinds } from "./kinds.ts";
import { collectorAtRest, type Cost, type Delays, heapMiB, measured, rssMiB, watched } from "./measure.ts";
import type { ChurnOrder } from "./watch-server.ts";

export interface CacheFigures {
  readonly ingest: Cost & Delays;
  readonly heapMiB: number;
  readonly peakRssMiB: number;
  readonly churn: Cost & Delays;
  readonly idle: Cost;
  /** MiB per hour at as many changes as a fleet of 10,000 machines has in half an hour. */
  readonly heapSlope: number;
}

const clusterName = ({ metadata }: KubeObject): readonly string[] =>
  metadata.labels?.["cluster.x-k8s.io/cluster-name"] === undefined
    ? []
    : [metadata.labels["cluster.x-k8s.io/cluster-name"]];

/** In the measured process, against a server in another one, which it talks to over its channel. */
const run = async (port: number, churned: (order: ChurnOrder) => Promise<void>): Promise<CacheFigures> => {
  const connection = connect({ url: `http://127.0.0.1:${port}`, clock: systemClock });
  const cache = createCache({ connection, random: cryptoRandom });
  for (const kind of kinds) cache.informer(kind).addIndex("cluster", clusterName);
  let seen = 0;
  for (const kind of kinds) {
    cache.informer(kind).subscribe(() => {
      seen += 1;
    });
  }
  const stop = new AbortController();
  let peakRssMiB = 0;
  const sampler = setInterval(() => {
    peakRssMiB = Math.max(peakRssMiB, rssMiB());
  }, 20);
  const ingest = await watched(() => cache.start({ signal: stop.signal }));
  clearInterval(sampler);
  const heap = heapMiB();
  const through = async (order: ChurnOrder): Promise<void> => {
    const expected = seen + order.events;
    await churned(order);
    while (seen < expected) await systemClock.sleep(10);
  };
  const churn = await watched(() => through({ events: 10_000, perSecond: 1000 }));
  // A Node's heartbeat every five minutes, for half an hour; before it once so that every object has been replaced.
  await through({ events: 60_000 });
  const before = heapMiB();
  await through({ events: 60_000 });
  const heapSlope = (heapMiB() - before) * 2;
  await collectorAtRest();
  const idle = await measured(() => systemClock.sleep(20_000));
  stop.abort();
  await connection.close();
  return { ingest, heapMiB: heap, peakRssMiB, churn, idle, heapSlope };
};

const [port] = process.argv.slice(2);
const figures = await run(Number(port), async (order) => {
  process.send?.(order);
  await once(process, "message");
});
process.send?.({ figures });
process.disconnect?.();
