import { admissionregistrationTypes } from "./data/admissionregistration-types.ts";
import { apiextensionsTypes } from "./data/apiextensions-types.ts";
import { apiregistrationTypes } from "./data/apiregistration-types.ts";
import { appsTypes } from "./data/apps-types.ts";
import { authenticationTypes } from "./data/authentication-types.ts";
import { authorizationTypes } from "./data/authorization-types.ts";
import { autoscalingTypes } from "./data/autoscaling-types.ts";
import { autoscalingV2Types } from "./data/autoscaling-v2-types.ts";
import { batchTypes } from "./data/batch-types.ts";
import { certificatesTypes } from "./data/certificates-types.ts";
import { coordinationTypes } from "./data/coordination-types.ts";
import { coreTypes } from "./data/core-types.ts";
import { coreVolumeTypes } from "./data/core-volume-types.ts";
import { discoveryTypes } from "./data/discovery-types.ts";
import { eventsTypes } from "./data/events-types.ts";
import { metaTypes } from "./data/meta-types.ts";
import { networkingTypes } from "./data/networking-types.ts";
import { nodeTypes } from "./data/node-types.ts";
import { policyTypes } from "./data/policy-types.ts";
import { rbacTypes } from "./data/rbac-types.ts";
import { schedulingTypes } from "./data/scheduling-types.ts";
import { storageTypes } from "./data/storage-types.ts";
import { typeTables } from "./type-table.ts";

/** The types of all built-in API groups, by the table names used in `data/`. */
export const builtinTypes = typeTables({
  admissionregistration: admissionregistrationTypes,
  apiextensions: apiextensionsTypes,
  apiregistration: apiregistrationTypes,
  apps: appsTypes,
  authentication: authenticationTypes,
  authorization: authorizationTypes,
  autoscaling: autoscalingTypes,
  autoscalingV2: autoscalingV2Types,
  batch: batchTypes,
  certificates: certificatesTypes,
  coordination: coordinationTypes,
  core: { ...coreTypes, ...coreVolumeTypes },
  discovery: discoveryTypes,
  events: eventsTypes,
  meta: metaTypes,
  networking: networkingTypes,
  node: nodeTypes,
  policy: policyTypes,
  rbac: rbacTypes,
  scheduling: schedulingTypes,
  storage: storageTypes,
});
