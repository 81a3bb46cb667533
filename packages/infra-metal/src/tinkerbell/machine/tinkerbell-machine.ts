import type { ControllerV1 } from "@capstan/contract/v1";
import { machine as machineFields } from "@capstan/contract/wire";
import { absent, failed, infraMachine, internalIP, pending, present } from "@capstan/kit/machine";
import type { CreateContext, MachineFacts, MachineObservation } from "@capstan/kit/machine";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import { firstOf, type Hardware, saysSecond, type Workflow } from "@capstan/tinkerbell/api";
import { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { machineFinalizer, oldMachineFinalizers, TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import type { MetalProviderOptions } from "../../options.ts";
import { claimHardware, contestedPollMs, observeContested, observeUnclaimed, templatesFor } from "./claim.ts";
import { addressOf, hardwareName, isProvisioned, providerIDOf } from "./hardware-facts.ts";
import { machineHolds, observeUnheld } from "./machine-holds.ts";
import type { MachineContext, MachineUses } from "./machine-uses.ts";
import { machineUses, note } from "./machine-uses.ts";
import { remarksOn } from "./remarks.ts";
import { deletePowerOffJobs } from "./power-off-jobs.ts";
import { deleteWorkflow, observeRemoval, powerOff, release } from "./removal.ts";
import { handOver, isUserDataLeft, userDataAt, type UserDataPlace, wipeUserData } from "./user-data.ts";
import { workflowDraft } from "./workflow-draft.ts";
import type { WorkflowState } from "./workflow-state.ts";
import { workflowState } from "./workflow-state.ts";

const { boardManagementUnreachable, powerOffFailed, poweringOff, preparing, waitingForAgent } = TinkerbellReason;
/** Why a machine has not booted into its workflow yet. */
const bootReasons: readonly string[] = [preparing, waitingForAgent, boardManagementUnreachable];

const workflowOf = ({ object, uses }: MachineContext, hardware: Hardware): Workflow | undefined =>
  uses.workflows.get({ ...keyOf(hardware), name: object.metadata.name ?? "" });

/** Options of the provider that every observation needs. */
interface Settings {
  readonly metadataUrl: string | undefined;
  readonly userData: UserDataPlace;
}

interface Found {
  readonly workflow?: WorkflowState | undefined;
  readonly userDataAt?: string | undefined;
}

const factsOf = (context: MachineContext, hardware: Hardware, { userDataAt: at, workflow }: Found): MachineFacts => {
  const { object, uses } = context;
  const { name, namespace } = keyOf(hardware);
  const address = addressOf(hardware);
  return {
    handle: hardwareName(hardware),
    providerID: providerIDOf(hardware),
    spec: { hardwareName: name },
    status: { targetNamespace: namespace },
    addresses: address === undefined ? [] : [internalIP(address)],
    conditions: remarksOn({
      hardware,
      workflow,
      userDataAt: at,
      delivered: object.spec?.providerID !== undefined,
      others: uses.sameMachine.others(hardware),
    }),
  };
};

/** Returns the progress of the workflow. While it waits for a machine that cannot be switched on, that is its reason. */
const stateOf = (context: MachineContext, hardware: Hardware): WorkflowState | undefined => {
  const workflow = workflowOf(context, hardware);
  const state = workflow && workflowState(workflow);
  const awaitsBoot = state !== undefined && bootReasons.includes(state.reason);
  const problem = awaitsBoot ? context.uses.boardManagement.problem(hardware) : undefined;
  if (state === undefined || problem === undefined) return state;
  return { ...state, reason: boardManagementUnreachable, message: `${state.message}; ${problem}` };
};

/** While the workflow continues, or has come to nothing. */
const observeWorkflow = (facts: MachineFacts, { message, reason, state }: WorkflowState): MachineObservation => {
  if (state === "failed") return failed({ ...facts, reason, message });
  if (state === "succeeded") return pending({ ...facts, reason, step: "mark provisioned" });
  // What follows is an event of the Workflow.
  return pending({ ...facts, reason, message, pollMs: 600_000 });
};

const observe = async (context: MachineContext, { metadataUrl, userData }: Settings): Promise<MachineObservation> => {
  const { machine, object, uses } = context;
  const hardware = uses.hardware.mine();
  if (hardware === undefined) return observeUnclaimed(context, metadataUrl);
  const state = stateOf(context, hardware);
  const at = await userDataAt(context, hardware, userData);
  const facts = factsOf(context, hardware, { workflow: state, userDataAt: at });
  if (isProvisioned(hardware)) {
    const joined = machineFields.nodeName.get(machine) !== undefined;
    const isUsed = joined && (await isUserDataLeft(context, hardware, userData));
    return present({ ...facts, ...(isUsed && { step: "wipe user data" }) });
  }
  if (object.spec?.providerID === undefined) {
    // Once it has user data, machines that claim other Hardware of the same machine give way.
    const contested = at !== undefined ? undefined : observeContested(context, hardware);
    return contested ?? observeUnheld(context, hardware) ?? absent({ conditions: facts.conditions ?? [] });
  }
  if (at === undefined) {
    const message = `Hardware ${facts.handle} has lost its user data before the machine was installed; delete the Machine`;
    return failed({ ...facts, reason: TinkerbellReason.userDataMissing, message });
  }
  const first = firstOf(hardware, uses.sameMachine.others(hardware));
  if (first !== undefined && (state === undefined || bootReasons.includes(state.reason))) {
    const message = `Hardware ${facts.handle}: ${saysSecond(hardware, first)}`;
    return pending({ ...facts, reason: TinkerbellReason.machineDescribedTwice, message, pollMs: contestedPollMs });
  }
  if (state !== undefined) return observeWorkflow(facts, state);
  const template = templatesFor(context, metadataUrl)(hardware);
  if (!("text" in template)) return pending({ ...facts, ...template });
  return pending({ ...facts, reason: TinkerbellReason.workflowMissing, step: "create workflow" });
};

/** Hands the bootstrap data over. From then on the machine is known by its Hardware. */
const deliverUserData = async (
  context: CreateContext<TinkerbellMachine, undefined, TinkerbellCluster, MachineUses>,
  place: UserDataPlace,
): Promise<MachineFacts | void> => {
  const hardware = context.uses.hardware.mine();
  if (hardware === undefined) return;
  await handOver(context, hardware, place);
  const { handle, providerID, spec } = factsOf(context, hardware, {});
  return { handle, ...(providerID !== undefined && { providerID }), ...(spec !== undefined && { spec }) };
};

/** The Template as it is to be now, and then the Workflow that begins with it. */
const createWorkflow = async (context: MachineContext, metadataUrl: string | undefined): Promise<void> => {
  const { identity, object, uses } = context;
  const hardware = uses.hardware.mine();
  if (hardware === undefined) return;
  const { namespace } = keyOf(hardware);
  const template = templatesFor(context, metadataUrl)(hardware);
  if (!("text" in template)) return;
  const before = uses.templates.get({ namespace, name: identity.name });
  if (before !== undefined && before.spec?.data !== template.text) await uses.templates.delete(before);
  const draft = { metadata: { name: identity.name }, spec: { data: template.text } };
  const { metadata } = await uses.templates.create(draft, namespace);
  await uses.workflows.create(workflowDraft(object, hardware, metadata.name ?? ""), namespace);
};

const markProvisioned = async (context: MachineContext): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  if (mine === undefined) return;
  await hardware.patch({ metadata: { annotations: { [TinkerbellAnnotation.provisioned]: "true" } } });
  note(context, TinkerbellReason.succeeded, `the workflow on Hardware ${hardwareName(mine)} has succeeded`);
};

const installation = [
  { name: "claiming", reasons: ["ClaimHardware", "Creating", "CreateWorkflow"] },
  { name: "booting", reasons: bootReasons },
  { name: "installing", reasons: [TinkerbellReason.installing, TinkerbellReason.finishing] },
];

const removal = [
  { name: "clearing", reasons: ["DeleteWorkflow", "WipeUserData"] },
  { name: "powering off", reasons: ["PowerOff", poweringOff, powerOffFailed, boardManagementUnreachable] },
];

/** Hardware of Tinkerbell as Cluster API machines. */
export const tinkerbellMachine = ({
  machineConcurrency = 20,
  metadataUrl,
  powerOffNamespace: lasting = "kube-system",
  sharedNamespaces = [],
  userDataIn: userData = "secret",
}: MetalProviderOptions): ControllerV1 => {
  const removing = { lasting, userData };
  return infraMachine({
    kind: TinkerbellMachine,
    clusterKind: TinkerbellCluster,
    finalizer: machineFinalizer,
    oldFinalizers: oldMachineFinalizers,
    concurrency: machineConcurrency,
    formats: ["cloud-config", "ignition"],
    uses: machineUses({ sharedNamespaces }),
    holds: machineHolds,
    observe: async (context) =>
      isBeingDeleted(context.object) ? observeRemoval(context, removing) : observe(context, { metadataUrl, userData }),
    create: (context) => deliverUserData(context, userData),
    steps: {
      "claim hardware": (context) => claimHardware(context, metadataUrl),
      "release hardware": (context) => release(context, removing),
      "create workflow": (context) => createWorkflow(context, metadataUrl),
      "mark provisioned": markProvisioned,
      "wipe user data": (context) => wipeUserData(context, userData),
      "delete workflow": deleteWorkflow,
      "power off": (context) => powerOff(context, lasting),
      "delete jobs": (context) => deletePowerOffJobs(context, lasting),
    },
    stages: ({ object }) => (isBeingDeleted(object) ? removal : installation),
    remove: (context) => release(context, removing),
  });
};
