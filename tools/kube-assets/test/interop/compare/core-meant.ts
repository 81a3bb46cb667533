import type { Meant } from "./requests.ts";

/** Differences of what core makes of scenarios that are meant. */
export const coreMeant: Meant = [
  [/status\.(controlPlane\.|workers\.)?versions/, "versions are of Cluster API 1.14, which is newer than the manager"],
  [/annotations capstan\.dev\//, "a rollout can be undone here after its sets are gone"],
  [
    /\| Cluster \S+ \| status\.(v1beta2\.)?conditions\[ControlPlaneInitialized\]\.observedGeneration$/,
    "upstream looks at it no more once it is True",
  ],
  [
    /conditions\[(ControlPlaneMachines|WorkerMachines|Machines)UpToDate\]\.(status|reason|message)$/,
    "nobody reports UpToDate for Machines that have neither a deployment nor a control plane object",
  ],
  [/\| event (Normal|Warning) /, "Events are of other moments, see docs/compatibility.md"],
  [
    /\.(message|failureMessage)$/,
    "what is missing or cannot be read is named, with what to create or correct",
    /create it or correct|is not installed|delete the Machine to have it replaced/,
  ],
  [
    /conditions\[(RollingOut|ScalingUp|ScalingDown)\]\.(reason|message)$/,
    "these have a reason of their own where nobody knows; the error stands in ControlPlaneAvailable",
    /"InternalError"|Please check controller logs/,
  ],
  [
    /Cluster \S+ \| status\.(v1beta2\.)?conditions\[ControlPlaneInitialized\]\.reason$/,
    "upstream takes a control plane object that is missing for one that cannot be read where the infrastructure is there",
    /"upstream":"InternalError","ours":"ObjectDoesNotExist"/,
  ],
  [
    /Cluster \S+ \| status\.(v1beta2\.)?conditions\[ControlPlaneAvailable\]\.(status|reason|message)$/,
    "without a control plane object its Machines count; upstream reports an internal error",
    /"upstream":("InternalError"|"Unknown"|"Please check controller logs for errors")/,
  ],
  [
    /Cluster \S+ \| status\.(v1beta2\.)?conditions\[Available\]\.(status|reason|message)$/,
    "without a control plane object its Machines count; upstream reports an internal error",
    /Waiting for a control plane Machine|"upstream":"(AvailableUnknown|Unknown)"|ControlPlaneAvailable: Please check/,
  ],
  [
    /\.message$/,
    "the field is named as the object's own contract has it",
    /Old\w+ status\.(ready|initialized) is false/,
  ],
  [/\.message$/, "kinds begin with a capital letter", /while the Cluster still exists/],
  [
    /deprecated\.v1beta1\.conditions\[Ready\]|deprecated\.v1beta1\.conditions\[(BootstrapReady|NodeHealthy)\]/,
    "something is said from the first look on; upstream leaves the condition out until the objects are there",
    /^\{("upstream":null,)?"ours"/,
  ],
  [
    /status\.deletion\.waitForPre(Drain|Terminate)HookStartTime$/,
    "of Cluster API 1.14, which is newer than the manager",
  ],
  [
    /conditions\[Deleting\]\.message$/,
    "what the infrastructure says of its deletion is passed on",
    /: a disk is wiped/,
  ],
  [/^a Machine of no Cluster \|/, "upstream leaves it alone; here it says what is missing"],
  [
    /Node \S+ \| annotations cluster\.x-k8s\.io\/labels-from-machine$/,
    "the label of what may be interrupted is not counted among the Machine's where there is none",
    /cluster\.x-k8s\.io\/interruptible/,
  ],
  [
    /^a Machine with data of its own \|.* status\.(initialization\.bootstrapDataSecretCreated|phase|bootstrapReady)$/,
    "data that a user gives is there",
  ],
  [
    /conditions\[(InfrastructureReady|Available)\]\.message$/,
    "upstream names types of its own program",
    /\[\]metav1\.Condition/,
  ],
];

/** The same of requests. */
export const requestsMeant: Meant = [
  [/^a topology/, "a topology is stored here, and counts once its references are set"],
  [/^replicas below zero|^a surge below zero|^bounds of zero percent|^a range the wrong way/, "no size can be that"],
  [
    /^a strategy without a type/,
    "v1beta2 demands the type; upstream's webhook fills in the default before that is checked",
  ],
  [
    /^(nothing more|another cluster|a long name|replicas|one bound alone|a selector|an empty selector|another selector|a version without a v|a naming|an empty naming|checks skipped|an order|the older version)/,
    "the Cluster's label is in selector and template from admission on, so that applying again changes nothing",
  ],
  [
    /^odd |^an odd (selector|expression)|^a selector that selects nothing|^a bound that is no number/,
    "the field is named",
  ],
  [/^another cluster, afterwards/, "every field that is wrong is named"],
  [/^the older version with no duration/, "what is no duration counts as absent"],
  [/^the older version without references/, "the schema is asked first"],
];
