import { LoadClient } from "./load-client.ts";
import { configMap, configMaps, crd, server, serverStatus, servers } from "./load-objects.ts";

/** Result of one run of a workload. */
export interface Sample {
  readonly operations: number;
  readonly seconds: number;
  /** For workloads about waiting: each wait. */
  readonly latenciesMs?: readonly number[];
}

export interface LoadOptions {
  readonly scale: number;
  readonly objects: number;
}

/** Unit of a workload's figure: operations per second, milliseconds per operation, seconds, or percentiles of waits. */
export type Figure = "perSecond" | "milliseconds" | "seconds" | "latency";

export interface Workload {
  readonly title: string;
  readonly figure: Figure;
  /**
   * Limit for the embedded server: the minimum for `perSecond`, the maximum otherwise. Percentiles 50 and 99 for
   * `latency`.
   */
  readonly bar: readonly number[];
  /**
   * Figures of a kube-apiserver 1.36 with etcd on two idle cores, which show what the bar means on a busier or slower
   * machine.
   */
  readonly reference: readonly number[];
  /** Run once, at the end, because it consumes what the others need. */
  readonly last?: boolean;
  readonly run: (load: Load) => Promise<Sample>;
}

const targets = 64;
const churned = "bench-churn";
const listed = "bench-list";
const watched = "bench-watch";

/** One server under load: its connections, and names that are not given twice. */
export class Load {
  readonly options: LoadOptions;
  readonly one: LoadClient;
  readonly many: LoadClient;
  readonly #url: string;
  #counter = 0;

  constructor(url: string, options: LoadOptions) {
    this.#url = url;
    this.options = options;
    this.one = new LoadClient(url, 1);
    this.many = new LoadClient(url, 16);
  }

  next(): number {
    return ++this.#counter;
  }

  connect(connections: number): LoadClient {
    return new LoadClient(this.#url, connections);
  }

  /** Everything the workloads work on. */
  async prepare(): Promise<void> {
    await this.one.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
    for (const name of [churned, listed, watched]) {
      await this.one.send("POST", "/api/v1/namespaces", { metadata: { name } });
    }
    await this.one.send("POST", configMaps(watched), configMap("watched"));
    await this.#established();
    await inParallel(this.many, 16, targets, (client, index) =>
      client.send("POST", servers(watched), server(`target-${index}`)),
    );
    await this.fill(this.options.objects);
  }

  /** Brings the listed collection to `count` ConfigMaps. */
  async fill(count: number): Promise<void> {
    await inParallel(this.many, 16, count, (client, index) =>
      client.send("POST", configMaps(listed), configMap(`item-${index}`)),
    );
  }

  async #established(): Promise<void> {
    for (;;) {
      try {
        await this.one.send("GET", servers(watched));
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

/** Sends `count` requests from `workers` senders that each wait for their answers. */
const inParallel = async (
  client: LoadClient,
  workers: number,
  count: number,
  send: (client: LoadClient, index: number) => Promise<unknown>,
): Promise<Sample> => {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let index = worker; index < count; index += workers) {
        await send(client, index);
      }
    }),
  );
  return { operations: count, seconds: (performance.now() - started) / 1000 };
};

const sequential =
  (count: number, send: (client: LoadClient, load: Load, index: number) => Promise<unknown>) =>
  (load: Load): Promise<Sample> =>
    inParallel(load.one, 1, Math.ceil(count * load.options.scale), (client, index) => send(client, load, index));

const parallel =
  (count: number, send: (client: LoadClient, load: Load, index: number) => Promise<unknown>) =>
  (load: Load): Promise<Sample> =>
    inParallel(load.many, 16, Math.ceil(count * load.options.scale), (client, index) => send(client, load, index));

const timed = async (work: () => Promise<unknown>): Promise<Sample> => {
  const started = performance.now();
  await work();
  return { operations: 1, seconds: (performance.now() - started) / 1000 };
};

const createConfigMap = (client: LoadClient, load: Load) =>
  client.send("POST", configMaps(churned), configMap(`new-${load.next()}`));

const getConfigMap = (client: LoadClient, _load: Load, index: number) =>
  client.send("GET", `${configMaps(listed)}/item-${index % 1_000}`);

const readPages = async ({ one }: Load): Promise<void> => {
  let more = "";
  do {
    const page = await one.send("GET", `${configMaps(listed)}?limit=500&continue=${more}`);
    more = /"continue":"([^"]*)"/.exec(page.slice(0, 500))?.[1] ?? "";
  } while (more !== "");
};

/** The last events of a watch come within this time, or they do not come. */
const deliveryMs = 30_000;

const streamingList = `${configMaps(listed)}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

const streamList = async (load: Load): Promise<Sample> => {
  const client = load.connect(1);
  const isEnd = (chunk: Buffer): boolean => chunk.subarray(-400).includes("initial-events-end");
  const sample = await timed(() => client.stream(streamingList, isEnd));
  await client.close();
  return sample;
};

/** Changes one ConfigMap again and again; how long each change takes from its writer to each of the watchers. */
const watchLatency =
  (watchers: number) =>
  async (load: Load): Promise<Sample> => {
    const writes = Math.ceil(200 * load.options.scale);
    const client = load.connect(watchers);
    const waits: number[] = [];
    const list = await load.one.send("GET", configMaps(watched));
    const revision = (JSON.parse(list) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    const path = `${configMaps(watched)}?watch=true&resourceVersion=${revision}`;
    /** For one watcher: events may come in pieces. */
    const reader = (): ((chunk: Buffer) => void) => {
      let begun = "";
      return (chunk) => {
        const text = begun + chunk.toString("latin1");
        const end = text.lastIndexOf("\n") + 1;
        begun = text.slice(end);
        for (const match of text.slice(0, end).matchAll(/"sent":"([\d.]+)"/g)) {
          waits.push(performance.now() - Number(match[1]));
        }
      };
    };
    await Promise.all(Array.from({ length: watchers }, () => client.follow(path, reader())));
    const started = performance.now();
    for (let turn = 0; turn < writes; turn++) {
      const sent = String(performance.now());
      await load.one.send("merge", `${configMaps(watched)}/watched`, { data: { sent } });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const deadline = performance.now() + deliveryMs;
    while (waits.length < writes * watchers) {
      if (performance.now() > deadline) {
        throw new Error(`only ${waits.length} of ${writes * watchers} events came within ${deliveryMs / 1000} s`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await client.close();
    return { operations: writes, seconds: (performance.now() - started) / 1000, latenciesMs: waits };
  };

/** Everything that is measured; the bars are for two cores. */
export const workloads: readonly Workload[] = [
  {
    title: "create ConfigMap, one by one",
    figure: "perSecond",
    bar: [600],
    reference: [384],
    run: sequential(800, createConfigMap),
  },
  {
    title: "create ConfigMap, 16 parallel",
    figure: "perSecond",
    bar: [2000],
    reference: [1127],
    run: parallel(3_000, createConfigMap),
  },
  {
    title: "create custom resource, 16 parallel",
    figure: "perSecond",
    bar: [1500],
    reference: [825],
    run: parallel(2_000, (client, load) => client.send("POST", servers(churned), server(`new-${load.next()}`))),
  },
  {
    title: "patch status, 16 parallel",
    figure: "perSecond",
    bar: [1200],
    reference: [606],
    run: parallel(2_000, (client, load, index) =>
      client.send("merge", `${servers(watched)}/target-${index % targets}/status`, serverStatus(load.next())),
    ),
  },
  {
    title: "server-side apply, 16 parallel",
    figure: "perSecond",
    bar: [800],
    reference: [534],
    run: parallel(2_000, (client, load, index) => {
      const name = `target-${index % targets}`;
      const path = `${servers(watched)}/${name}?fieldManager=bench&force=true`;
      return client.send("apply", path, server(name, load.next()));
    }),
  },
  {
    title: "get, one by one",
    figure: "perSecond",
    bar: [1500],
    reference: [1030],
    run: sequential(1_500, getConfigMap),
  },
  {
    title: "get, 16 parallel",
    figure: "perSecond",
    bar: [5000],
    reference: [3306],
    run: parallel(6_000, getConfigMap),
  },
  {
    title: "list all",
    figure: "milliseconds",
    bar: [300],
    reference: [215],
    run: ({ one }) => timed(() => one.stream(configMaps(listed), () => false)),
  },
  {
    title: "list in pages of 500",
    figure: "milliseconds",
    bar: [500],
    reference: [254],
    run: (load) => timed(() => readPages(load)),
  },
  {
    title: "streaming list",
    figure: "milliseconds",
    bar: [500],
    reference: [650],
    run: streamList,
  },
  { title: "watch latency, 1 watcher", figure: "latency", bar: [2, 10], reference: [2.1, 9.5], run: watchLatency(1) },
  { title: "watch latency, 50 watchers", figure: "latency", bar: [5, 40], reference: [6.5, 56], run: watchLatency(50) },
  {
    title: "delete collection",
    figure: "seconds",
    bar: [5],
    reference: [11.3],
    last: true,
    run: ({ one }) => timed(() => one.send("DELETE", configMaps(listed))),
  },
];
