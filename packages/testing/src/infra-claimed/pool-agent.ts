import type { ControllerV1 } from "@capstan/contract/v1";
import { managedObject, observations } from "@capstan/kit/engine";
import type { ObjectContext } from "@capstan/kit/engine";
import { PoolHost } from "./claimed-kinds.ts";
import type { PoolHardware } from "./pool-hardware.ts";

const { pending, present } = observations();

/** Returns the user-data that the host should boot with; `undefined` while the Secret that it names has none. */
const userDataOf = async ({
  object: { spec },
  readSecret,
}: Pick<ObjectContext<PoolHost>, "object" | "readSecret">): Promise<string | undefined> => {
  if (spec.userDataSecret === undefined) return "";
  const { key, name } = spec.userDataSecret;
  return (await readSecret({ name }))?.optional(key)?.reveal();
};

/**
 * Plays the hardware of a pool: boots hosts that shall be powered on with what is in the Secret that they name, switches the others off,
 * and reports how they are. It knows nothing of machines and clusters.
 */
export const poolAgent = (hardware: PoolHardware): ControllerV1 =>
  managedObject<PoolHost, PoolHardware>({
    kind: PoolHost,
    noun: "the host",
    connect: () => hardware,
    observe: async (context) => {
      const { identity, object } = context;
      const state = hardware.stateOf(identity.uid);
      const status = { state, observedGeneration: object.metadata.generation };
      const isOn = object.spec.poweredOn === true;
      if (state === (isOn ? "running" : "off")) return present({ status });
      if (state === "stopping") return pending({ status, reason: "Stopping", pollMs: 1000 });
      if (!isOn) return pending({ status, reason: "Running", step: "power off" });
      if (state === "booting") return pending({ status, reason: "Booting", pollMs: 1000 });
      if ((await userDataOf(context)) !== undefined) return pending({ status, reason: "Off", step: "power on" });
      const { key, name } = object.spec.userDataSecret ?? {};
      const message = `Secret ${identity.namespace}/${name} has no value under the key "${key}"; create it`;
      return pending({ status, reason: "UserDataMissing", message });
    },
    steps: {
      "power on": async (context) => context.api.powerOn(context.identity.uid, (await userDataOf(context)) ?? ""),
      "power off": async ({ api, identity }) => api.powerOff(identity.uid),
    },
    forget: (uid) => hardware.remove(uid),
  });
