import { same } from "../resource-id.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import type { CommandResult } from "./extension-status.ts";
import { hasAgent } from "./instance-view.ts";

/** Between two looks at whether a machine is up. */
const pauseMs = 500;

/** The file by which a bootstrap provider says that it is done. */
const sentinel = "/run/cluster-api/bootstrap-success.complete";

/** The file of cloud-init at the end of a first boot, which a machine that hangs has not reached. */
const bootFinished = "/var/lib/cloud/instance/boot-finished";

const stillThere = (vm: StoredResource<object>, { state }: World): boolean =>
  state.resources.some(({ id }) => same(id, vm.id));

/**
 * Runs a script inside of a machine, as soon as its agent is there; `undefined`: the machine went before that. Without a guest there is
 * no inside, and everything succeeds.
 */
export const runInside = async (
  vm: StoredResource<object>,
  script: string,
  world: World,
): Promise<CommandResult | undefined> => {
  const { clock, guestPlans, guest, power, stopped } = world;
  while (!stopped.aborted && stillThere(vm, world)) {
    if (hasAgent(vm, world)) {
      if (guest?.run === undefined) return { exitCode: 0, stdout: "", stderr: "" };
      const { bootstrap, sentinel: planned } = guestPlans.for({ name: vm.name, group: vm.group });
      const hidden = [...(planned === "missing" ? [sentinel] : []), ...(bootstrap === "hang" ? [bootFinished] : [])];
      const options = { hidden };
      const result = await power.run(vm as StoredResource, script, options);
      if (result !== undefined) return result;
    }
    await clock.sleep(pauseMs, { signal: stopped }).catch(() => undefined);
  }
  return undefined;
};
