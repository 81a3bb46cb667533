import { configMap, configMaps, server, serverStatus, servers } from "./load-objects.ts";
import type { Load } from "./workloads.ts";

const namespace = "bench-churn";
const living = 500;
const writers = 8;
const watchers = 20;
const watchSeconds = 5;

/** One object's life in several changes: created, applied, status patched, deleted by a later writer. */
const lifeOf = async (load: Load, index: number): Promise<void> => {
  const client = load.many;
  const name = `object-${index}`;
  await client.send("POST", configMaps(namespace), configMap(name));
  await client.send("POST", servers(namespace), server(name));
  await client.send("merge", `${servers(namespace)}/${name}/status`, serverStatus(index));
  await client.send("apply", `${servers(namespace)}/${name}?fieldManager=bench&force=true`, server(name, index));
  if (index > living) {
    const old = `object-${index - living}`;
    await client.send("DELETE", `${configMaps(namespace)}/${old}`);
    await client.send("DELETE", `${servers(namespace)}/${old}`);
  }
  if (index % 100 === 0) {
    await client.send("GET", servers(namespace));
  }
};

/** Creates, changes and deletes objects for a while, with watchers that come and go; answers the number of requests. */
export const churn = async (load: Load, seconds: number): Promise<number> => {
  const end = performance.now() + seconds * 1000;
  const isRunning = (): boolean => performance.now() < end;
  const client = load.connect(watchers);
  let lives = 0;
  const write = async (): Promise<void> => {
    while (isRunning()) {
      lives += 1;
      await lifeOf(load, load.next());
    }
  };
  const watch = async (): Promise<void> => {
    while (isRunning()) {
      await client.stream(`${servers(namespace)}?watch=true&timeoutSeconds=${watchSeconds}`, () => !isRunning());
    }
  };
  await Promise.all([...Array.from({ length: writers }, write), ...Array.from({ length: watchers }, watch)]);
  await client.close();
  return lives * 6;
};
