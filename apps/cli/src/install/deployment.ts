import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { type ReferenceRule, referenceWords } from "../cluster/reference-flags.ts";
import { allowAddressWords } from "../cluster/address-flags.ts";
import { defaultCredentialsWords } from "../cluster/default-credentials-flags.ts";
import { defaultInstallation } from "../cluster/installation.ts";
import { managerLabel } from "../webhooks/webhook-manifests.ts";
import { tuningWords, type Tuning } from "../cluster/tuning-flags.ts";
import { type OptionSettings, setOptionWords } from "../options/set-option-flag.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";

/** Managers inside the cluster. */
export interface DeploymentOptions {
  /** Its entry point is the command `capstan`. */
  readonly image: string;
  /** One leads, the others stand by and answer webhooks. */
  readonly replicas: number;
  /** As the managers' flags name them. */
  readonly providers: readonly string[];
  /** Default: those of the command. */
  readonly objectStores?: readonly string[] | undefined;
  /** Options of providers and object stores. Default: none. */
  readonly setOptions?: OptionSettings | undefined;
  /** Whom their own credentials serve. Default: no one. */
  readonly defaultCredentials?: DefaultCredentialsV1 | undefined;
  /** Which references into other namespaces they follow. Default: `admitted`. */
  readonly references?: ReferenceRule | undefined;
  /** Default: none. */
  readonly allowedAddresses?: readonly string[] | undefined;
  readonly tuning: Tuning;
}

export interface DeployedManager extends DeploymentOptions {
  readonly installation: string;
  readonly namespaces: readonly string[];
  readonly watchFilter?: string | undefined;
  readonly systemNamespace: string;
  readonly serviceAccount: string;
  readonly webhooks?: WebhookOptions | undefined;
}

const diagnosticsPort = 8443;

const serviceOf = ({ webhooks }: DeployedManager): string | undefined =>
  webhooks === undefined || "url" in webhooks.endpoint ? undefined : webhooks.endpoint.service.name;

const flags = (manager: DeployedManager): readonly string[] => {
  const service = serviceOf(manager);
  return [
    "manager",
    `--providers=${manager.providers.join(",")}`,
    ...(manager.objectStores === undefined ? [] : [`--object-stores=${manager.objectStores.join(",")}`]),
    ...setOptionWords(manager.setOptions ?? []),
    ...manager.namespaces.map((namespace) => `--namespace=${namespace}`),
    ...(manager.watchFilter === undefined ? [] : [`--watch-filter=${manager.watchFilter}`]),
    ...allowAddressWords(manager.allowedAddresses ?? []),
    ...defaultCredentialsWords(manager.defaultCredentials ?? { namespaces: [] }),
    ...referenceWords(manager.references),
    `--system-namespace=${manager.systemNamespace}`,
    ...(manager.installation === defaultInstallation ? [] : [`--installation=${manager.installation}`]),
    "--leader-elect",
    ...tuningWords(manager.tuning),
    `--diagnostics-address=:${diagnosticsPort}`,
    ...(service === undefined ? [] : [`--webhook-service=${service}`, `--webhook-port=${manager.webhooks?.port}`]),
    "--output=json",
  ];
};

const probe = (path: string) => ({ httpGet: { path, port: "diagnostics", scheme: "HTTPS" } });

const container = (manager: DeployedManager): object => ({
  name: "manager",
  image: manager.image,
  args: flags(manager),
  ports: [
    { name: "diagnostics", containerPort: diagnosticsPort, protocol: "TCP" },
    ...(serviceOf(manager) === undefined
      ? []
      : [{ name: "webhook", containerPort: manager.webhooks?.port, protocol: "TCP" }]),
  ],
  // Definitions that come later are waited for, and filling the caches of a large cluster takes a while.
  startupProbe: { ...probe("/healthz"), periodSeconds: 2, failureThreshold: 120 },
  livenessProbe: { ...probe("/healthz"), periodSeconds: 20, timeoutSeconds: 5 },
  readinessProbe: { ...probe("/readyz"), periodSeconds: 10, timeoutSeconds: 5 },
  resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "2Gi" } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: true,
  },
});

/** The Deployment of the managers that run these providers under one account. */
export const managerDeployment = (manager: DeployedManager): KubeObject => {
  const { replicas, serviceAccount, systemNamespace } = manager;
  // The Service of the webhooks finds the Pods by its own name.
  const name = serviceOf(manager) ?? serviceAccount;
  const labels = { [managerLabel]: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: systemNamespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: serviceAccount,
          securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [container(manager)],
        },
      },
    },
  };
};
