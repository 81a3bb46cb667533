import type { Meant } from "./requests.ts";

/** Differences of what core makes of scenarios that are meant. */
export const coreMeant: Meant = [
  [
    /status\.(v1beta2\.)?(controlPlane\.|workers\.)?versions/,
    "versions are of Cluster API 1.14, which is newer than the manager",
  ],
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
  [
    /^a (Machine|MachineSet|MachineDeployment|health check) of no Cluster \|/,
    "upstream leaves it alone; here it says what is missing",
  ],
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
    /conditions\[RemoteConnectionProbe\]\.observedGeneration$/,
    "it is written when the answer changes; the generation is that of the last look before",
  ],
  [
    /^odd conditions of providers \| .*conditions\[InfrastructureReady\]\.(status|reason)$/,
    "what is no status of a condition is taken for none",
    /"upstream":("A"|""|"Maybe")/,
  ],
  [
    /^a Cluster and its control plane \| it has an endpoint \| Cluster prod \| (status\.phase|spec\.controlPlaneEndpoint\.(host|port))$/,
    "the endpoint of a control plane is taken as soon as it is there",
  ],
  [
    /^a control plane of Machines of their own \| its Node \| (came about|.*status\.initialization\.controlPlaneInitialized)$/,
    "without a control plane object its first Node decides",
  ],
  [
    /^a (Cluster|MachineDeployment) is deleted \|.* MachineDeployment workers \| status\.deprecated\.v1beta1\./,
    "upstream does not go on counting for the older generation during a deletion",
  ],
  [
    /^a Machine of a Cluster that does not answer \|.*(conditions\[(Ready|NodeHealthy|NodeReady|WorkerMachinesReady)\]\.(reason|message)|status\.observedGeneration)$/,
    "without a provider id there is no Node to look for, whether the Cluster answers or not",
    /Waiting for PlayedMachine to report|InspectionFailed|"the newest"/,
  ],
  [
    /^a Machine of a Cluster that does not answer \| in the older version \| Machine m \| status\.conditions\[NodeHealthy\]\./,
    "something is said from the first look on",
    /^\{"ours"/,
  ],
  [
    /^a Machine before its Cluster's infrastructure \|.* Machine m \| status\.observedGeneration$/,
    "what waits for others has been seen",
  ],
  [
    /^a Machine whose objects are missing \| its config \| (Machine m \| status\.conditions\[BootstrapConfigReady\]|PlayedConfig m \| (owner|labels))/,
    "what was missing is seen at once; upstream looks for it every 30 seconds",
  ],
  [
    /\| Cluster prod \| status\.(v1beta2\.)?workers(\.(desiredReplicas|replicas))?$/,
    "Machines are counted by who controls them, whether they refer to the Cluster as well or not",
    /^\{"upstream":("\{\}"|2)|^\{"ours":1\}/,
  ],
  [
    /^a Machine is made \|.* Machine m \| status\.addresses\[InternalIP\]/,
    "addresses that are not reported any more are gone",
    /^\{"upstream":"(192\.0\.2\.7|InternalIP)"\}$/,
  ],
  [
    /^a Machine of providers of the older contract \|.* Machine m \| status\.failureDomain$/,
    "in the older contract the spec of the infrastructure machine says it",
  ],
  [
    /^a MachineSet of nothing \| it shall not make any \|/,
    "the annotation that keeps Machines from being made is named",
    /annotation cluster\.x-k8s\.io\/disable-machine-create is set|MachineCreationFailed|"Error"|"upstream":"True","ours":"False"/,
  ],
  [
    /^a MachineDeployment without templates \| a MachineDeployment \|/,
    "the set is made, and says what is missing, before its templates are there",
  ],
  [
    /^a MachineDeployment without templates \| (templates are lost|in the older version) \|.*conditions\[ScalingUp\]\.message$/,
    "templates are looked for when Machines are to be made",
    /Scaling up would be blocked/,
    "at times",
  ],
  [
    /^a MachineDeployment \| another version while it is paused \| MachineDeployment workers \| status\.deprecated\.v1beta1\./,
    "a set of the new template is not there while the deployment is paused; upstream does not go on counting",
  ],
  [/^a MachineDeployment \| none \|/, "a deployment that is paused can be scaled"],
  [
    /MachineHealthCheck check \| .*conditions\[RemediationAllowed\]\.message$/,
    "the field that decides is named",
    /spec\.remediation\.triggerIf\./,
  ],
  [/\.message$/, "the field is named as it is called", /spec\.strategy\.remediation\.maxInFlight/],
  [/^nobody else remediates \|/, "upstream stores nothing of a Machine whose remediation template is missing"],
  [
    /^a health check of a Machine \|.*(OwnerRemediated|deprecated\.v1beta1\.conditions\[Ready\])/,
    "a Machine that is healthy again waits for no remediation",
  ],
  [
    /^a health check of a Machine \| (to be left alone|in the older version) \|/,
    "a Machine that no check is about any more is not said to be unhealthy",
  ],
  [
    /^somebody else remediates \| a health check \| (came about|Machine m \| .*conditions\[HealthCheckSucceeded\])/,
    "upstream writes nothing on healthy Machines without a request",
  ],
  [
    /^a set remediates one after the other \|.* Machine \S+ \| .*conditions\[HealthCheckSucceeded\]\.observedGeneration$/,
    "a Machine that is being deleted is not checked any more",
    /"an older one"/,
    "at times",
  ],
  [
    /^somebody else remediates \|.* Machine m \| .*conditions\[ExternallyRemediated\]/,
    "a Machine that is healthy again waits for no remediation",
  ],
  [
    /conditions\[(InfrastructureReady|Available)\]\.message$/,
    "upstream names types of its own program",
    /\[\]metav1\.Condition/,
  ],
];
