import { bootFailed } from "../errors.ts";
import { keyOf } from "@capstan/kube-values";
import { Hardware } from "../api/hardware.ts";
import { WorkflowCondition, WorkflowReason } from "./names.ts";
import { withCondition } from "./status.ts";
import { hardwareName, hardwareOf, type Outcome, type Visit } from "./visit.ts";

const steps = {
  true: { mark: "toggledTrue", condition: WorkflowCondition.allowNetbootTrue, what: "allowed" },
  false: { mark: "toggledFalse", condition: WorkflowCondition.allowNetbootFalse, what: "forbidden" },
} as const;

const isSwitched = ({ spec }: Hardware, allowPXE: boolean): boolean =>
  (spec?.interfaces ?? []).every(({ netboot }) => netboot?.allowPXE === allowPXE);

/**
 * Allows booting from the network on all interfaces, or forbids it again; `undefined` when that is done or not wanted. A Hardware that
 * another user changes meanwhile is a conflict, after which it is looked at again.
 */
export const switchNetboot = async (visit: Visit, allowPXE: boolean): Promise<Outcome | undefined> => {
  const { context, status, workflow } = visit;
  const { condition, mark, what } = steps[`${allowPXE}`];
  if (workflow.spec?.bootOptions?.toggleAllowNetboot !== true) return undefined;
  if (status.bootOptions?.allowNetboot?.[mark] === true) return undefined;
  const hardware = hardwareOf(visit);
  if (hardware === undefined) {
    throw bootFailed(`${hardwareName(workflow)} does not exist, so that booting from the network cannot be ${what}`);
  }
  if (!isSwitched(hardware, allowPXE)) {
    const interfaces = (hardware.spec?.interfaces ?? []).map((of) => ({ ...of, netboot: { ...of.netboot, allowPXE } }));
    const { resourceVersion } = hardware.metadata;
    const body = { metadata: { resourceVersion }, spec: { interfaces } };
    await context.client.patch(Hardware, keyOf(hardware), { type: "merge", body }, { signal: context.signal });
  }
  const allowNetboot = { ...status.bootOptions?.allowNetboot, [mark]: true };
  const message = `booting from the network is ${what}`;
  return {
    status: withCondition(
      { ...status, bootOptions: { ...status.bootOptions, allowNetboot } },
      { type: condition, status: "True", reason: WorkflowReason.complete, message },
      context.clock,
    ),
  };
};
