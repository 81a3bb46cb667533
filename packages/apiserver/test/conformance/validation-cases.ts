import type { ValidationCase } from "./validation-case.ts";
import { affinityCases } from "./validation-affinity.ts";
import { apiServicesCases } from "./validation-api-services.ts";
import { containersCases } from "./validation-containers.ts";
import { jobPoliciesCases } from "./validation-job-policies.ts";
import { jobsCases } from "./validation-jobs.ts";
import { leniencyCases } from "./validation-leniency.ts";
import { mountsCases } from "./validation-mounts.ts";
import { networksCases } from "./validation-networks.ts";
import { podVolumesCases } from "./validation-pod-volumes.ts";
import { podsCases } from "./validation-pods.ts";
import { probesCases } from "./validation-probes.ts";
import { quotasCases } from "./validation-quotas.ts";
import { resourcesCases } from "./validation-resources.ts";
import { schedulingCases } from "./validation-scheduling.ts";
import { secretsCases } from "./validation-secrets.ts";
import { securityCases } from "./validation-security.ts";
import { serviceFieldsCases } from "./validation-service-fields.ts";
import { servicesCases } from "./validation-services.ts";
import { shapesCases } from "./validation-shapes.ts";
import { storageCases } from "./validation-storage.ts";
import { templatesCases } from "./validation-templates.ts";
import { variablesCases } from "./validation-variables.ts";
import { workloadsCases } from "./validation-workloads.ts";

/** What a kube-apiserver says about new objects, of all topics. */
export const validationCases: readonly ValidationCase[] = [
  ...affinityCases,
  ...apiServicesCases,
  ...containersCases,
  ...jobPoliciesCases,
  ...jobsCases,
  ...leniencyCases,
  ...mountsCases,
  ...networksCases,
  ...podVolumesCases,
  ...podsCases,
  ...probesCases,
  ...quotasCases,
  ...resourcesCases,
  ...schedulingCases,
  ...secretsCases,
  ...securityCases,
  ...serviceFieldsCases,
  ...servicesCases,
  ...shapesCases,
  ...storageCases,
  ...templatesCases,
  ...variablesCases,
  ...workloadsCases,
];
