import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LoadClient } from "./load-client.ts";
import type { Options } from "./options.ts";
import { startBaseline, startEmbedded, type Subject } from "./subject.ts";

/** The list that everybody watches. */
export const crowdPath = "/api/v1/namespaces/kube-public/configmaps";

const watches = 1_500;
const objects = 5_000;
const openingMs = 40_000;
const changingMs = 10_000;
const pauseMs = 20;

const own = "/api/v1/namespaces/default/configmaps";

/** Gets an object now and then for so long; returns the milliseconds of each answer, the shortest first. */
const getsFor = async (load: LoadClient, ms: number): Promise<readonly number[]> => {
  const end = performance.now() + ms;
  const took: number[] = [];
  while (performance.now() < end) {
    const began = performance.now();
    await load.send("GET", `${own}/mine`);
    took.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return took.toSorted((left, right) => left - right);
};

const say = (title: string, took: readonly number[]): void => {
  const at = (share: number): string => (took[Math.floor((took.length - 1) * share)] ?? 0).toFixed(0);
  console.log(`  ${title}: ${took.length} gets, median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`);
};

const measure = async (subject: Subject): Promise<void> => {
  console.log(`${subject.name}: gets of one user with ${watches} watches of another, of ${objects} objects`);
  const load = new LoadClient(subject.url, 20);
  for (let from = 0; from < objects; from += 250) {
    const batch = Array.from({ length: 250 }, (_, index) => ({
      metadata: { name: `c-${from + index}` },
      data: { text: "x".repeat(500) },
    }));
    await Promise.all(batch.map((object) => load.send("POST", crowdPath, object)));
  }
  await load.send("POST", own, { metadata: { name: "mine" } });
  say("before", await getsFor(load, 1_000));
  const crowd = new Worker(new URL("crowd-watches.ts", import.meta.url), { workerData: { url: subject.url, watches } });
  say("while they are opened", await getsFor(load, openingMs));
  crowd.postMessage("how many");
  const [{ answered, ended }] = (await once(crowd, "message")) as [{ answered: number; ended: number }];
  console.log(`  ${answered} were answered, ${ended} refused or cut off`);
  const end = performance.now() + changingMs;
  const change = async (): Promise<void> => {
    while (performance.now() < end) await load.send("merge", `${crowdPath}/c-1`, { data: { at: `${Math.random()}` } });
  };
  const changes = Promise.all([change(), change()]);
  say("while they are told of changes", await getsFor(load, changingMs));
  await changes;
  await crowd.terminate();
  await load.close();
};

/** `--crowd`: the time that the many watches of one user keep another waiting, also on a real server when a folder with one is given. */
export const crowd = async ({ baseline, built, storage }: Options): Promise<void> => {
  const subjects = [
    () => startEmbedded({ storage, built }),
    ...(baseline === undefined ? [] : [() => startBaseline(baseline)]),
  ];
  for (const start of subjects) {
    const subject = await start();
    try {
      await measure(subject);
    } finally {
      await subject.stop();
    }
  }
};
