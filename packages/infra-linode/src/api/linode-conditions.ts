import {
  conditionTable,
  type ConditionTable,
  infraClusterConditions,
  infraMachineConditions,
  resourceConditions,
} from "@capstan/contract/wire";

const vpcReady = {
  type: "PreflightLinodeVPCReady",
  about: "The VPC that the object refers to is ready.",
  v1beta1: "PreflightLinodeVPCReady",
  reasons: { ready: "LinodeVPCReady" },
} as const;

/** The conditions of a LinodeCluster. */
export const linodeClusterConditions = conditionTable({
  ...infraClusterConditions,
  ready: {
    ...infraClusterConditions.ready,
    reasons: {
      backendUnreachable: "BackendUnreachable",
      controlPlaneEndpointMissing: "ControlPlaneEndpointMissing",
      deleting: "Deleting",
      nodeBalancerMissing: "NodeBalancerMissing",
      openingPorts: "OpeningPorts",
    },
  },
  vpcReady,
  firewallReady: {
    type: "PreflightLinodeNBFirewallReady",
    about: "The firewall of the NodeBalancer is ready.",
    v1beta1: "PreflightLinodeNBFirewallReady",
    reasons: { ready: "LinodeFirewallReady" },
  },
  endpointCorrect: {
    type: "ControlPlaneEndpointCorrect",
    about: "The endpoint of the LinodeCluster leads to its NodeBalancer; set once it has been wrong.",
    v1beta1: "ControlPlaneEndpointCorrect",
    reasons: { endpointCorrect: "EndpointCorrect", endpointElsewhere: "EndpointElsewhere" },
  },
});

/** The conditions of a LinodeMachine. Ready also has the state of the instance at Linode as its reason. */
export const linodeMachineConditions = conditionTable({
  ...infraMachineConditions,
  ready: {
    ...infraMachineConditions.ready,
    reasons: {
      configurationMissing: "ConfigurationMissing",
      createError: "CreateError",
      creatingDisks: "CreatingDisks",
      diskNotReady: "DiskNotReady",
      notRunningInTime: "NotRunningInTime",
      preparing: "Preparing",
    },
  },
  vpcReady,
  firewallReady: {
    type: "PreflightLinodeFirewallReady",
    about: "The firewall that the object refers to is ready.",
    v1beta1: "PreflightLinodeFirewallReady",
    reasons: { ready: "LinodeFirewallReady" },
  },
});

const inUse = { inUse: "InUse" } as const;
const resource = <const R extends Readonly<Record<string, string>>>(reasons: R) =>
  ({ ...resourceConditions, ready: { ...resourceConditions.ready, reasons } }) as const;

const keyConditions = resource({
  bucketNotOwned: "BucketNotOwned",
  secretNameReserved: "SecretNameReserved",
  templateInvalid: "TemplateInvalid",
  waitingForBucket: "WaitingForBucket",
  ...inUse,
});
const firewallConditions = resource({
  referenceMissing: "ReferenceMissing",
  ruleWithoutAddresses: "RuleWithoutAddresses",
  tooManyRules: "TooManyRules",
});
const templateConditions = resource({ changingMachines: "ChangingMachines" });

/** The conditions of Linode's kinds, by kind. */
export const linodeConditions: Readonly<Record<string, ConditionTable>> = {
  LinodeCluster: linodeClusterConditions,
  LinodeMachine: linodeMachineConditions,
  LinodeMachineTemplate: { ready: templateConditions.ready, paused: templateConditions.paused },
  LinodeVPC: resource(inUse),
  LinodeFirewall: firewallConditions,
  LinodePlacementGroup: resource(inUse),
  LinodeObjectStorageBucket: resourceConditions,
  LinodeObjectStorageKey: keyConditions,
};

/** Reasons of the conditions and Events of Linode's kinds; errors and the states of an instance have their own. */
export const LinodeReason = {
  /** Reason of an Event. */
  addressInvalid: "AddressInvalid",
  ...linodeClusterConditions.ready.reasons,
  ...linodeClusterConditions.endpointCorrect.reasons,
  ...linodeMachineConditions.ready.reasons,
  ...keyConditions.ready.reasons,
  ...firewallConditions.ready.reasons,
  ...templateConditions.ready.reasons,
} as const;
