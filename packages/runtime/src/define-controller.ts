import type { ControllerV1 } from "@capstan/contract/v1";
import type { ControllerOptions, Environment, Manager, Source } from "./controller.ts";
import { ReconcileLoop } from "./reconcile-loop.ts";
import { resync, applyTuning } from "./apply-tuning.ts";

/** A controller for `Manager.add` or `HostV1.add`. It runs on the leader only; its caches are warm on standbys too. */
export const controller = (options: ControllerOptions): ControllerV1 => ({
  name: options.name,
  ...(options.permissions !== undefined && { permissions: options.permissions }),
  attach: (manager: Manager) => {
    const environment: Environment = manager;
    let sources: readonly Source[] = [];
    manager.addRunnable({
      name: options.name,
      needsLeader: true,
      prepare: async () => {
        await options.setup?.(environment);
        sources = typeof options.sources === "function" ? options.sources(environment) : options.sources;
        for (const source of sources) source.prepare?.(environment);
      },
      run: async ({ signal }) => {
        const loop = new ReconcileLoop(applyTuning(options, sources, environment.tuning ?? {}), environment);
        // Sources first: what they replay is queued before the first reconcile, so priorities hold from the start.
        const all = [...sources, resync(sources)];
        await Promise.all(all.map(async (source) => source.start(loop.queue, environment, { signal })));
        await loop.run({ signal });
      },
    });
  },
});
