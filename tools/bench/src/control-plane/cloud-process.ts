import { connect, createCache, createClient, loadKubeconfig } from "@capstan/kube";
import { createLogger, createManager, cryptoRandom, systemClock } from "@capstan/runtime";
import { createMemoryProvider } from "@capstan/testing/infra-memory";
import { createGuestCloud } from "@capstan/tool-kube-assets/interop";

/** The order that the bench sends to this process. */
export interface CloudOrder {
  /** The kubeconfig of the management API. */
  readonly kubeconfig: string;
}

/** A cloud in memory whose servers boot, with its provider: the same infrastructure for everyone's managers. */
const run = async ({ kubeconfig }: CloudOrder): Promise<void> => {
  const { cloud } = await createGuestCloud();
  const access = await loadKubeconfig({ text: kubeconfig });
  const connection = connect({ clock: systemClock, access, connections: 32 });
  const cache = createCache({ connection, random: cryptoRandom });
  const client = createClient(connection, { observer: cache });
  const log = createLogger({ level: "warn", format: "text" });
  const manager = createManager({ client, cache, clock: systemClock, random: cryptoRandom, log });
  createMemoryProvider(cloud).register({ add: (controller) => manager.add(controller) });
  const ended = manager.run({ signal: new AbortController().signal });
  await Promise.race([manager.ready(), ended]);
  process.send?.("ready");
  await ended;
};

process.once("message", (order: CloudOrder) => {
  run(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.once("SIGTERM", () => process.exit(0));
