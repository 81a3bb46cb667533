import { controllerNames, standardControllers, type ControllerName } from "@capstan/apiserver";
import { own } from "@capstan/schema";

/** kube-controller-manager's names of the same controllers. */
const upstreamNames: Readonly<Record<string, ControllerName>> = {
  "garbage-collector-controller": "garbage-collector",
  garbagecollector: "garbage-collector",
  "namespace-controller": "namespace",
  "serviceaccount-controller": "default-service-account",
  serviceaccount: "default-service-account",
  "root-ca-certificate-publisher-controller": "root-ca-publisher",
  "root-ca-cert-publisher": "root-ca-publisher",
  "serviceaccount-token-controller": "token-secrets",
  "serviceaccount-token": "token-secrets",
  "clusterrole-aggregation-controller": "cluster-role-aggregation",
  "clusterrole-aggregation": "cluster-role-aggregation",
  "disruption-controller": "disruption-status",
  disruption: "disruption-status",
  "persistentvolumeclaim-protection-controller": "storage-protection",
  "pvc-protection": "storage-protection",
  "persistentvolume-protection-controller": "storage-protection",
  "pv-protection": "storage-protection",
  "token-cleaner-controller": "bootstrap-token-cleaner",
  tokencleaner: "bootstrap-token-cleaner",
  "bootstrap-signer-controller": "bootstrap-signer",
  bootstrapsigner: "bootstrap-signer",
};

const named = (name: string): ControllerName | undefined =>
  controllerNames.find((known) => known === name) ?? own(upstreamNames, name);

/**
 * Reads `--controllers` as kube-controller-manager does: `*` stands for the standard ones, a name adds one, `-name` takes one away;
 * an empty list is none. An unknown name is answered with a text that says which there are.
 */
export const parseControllers = (text: string): readonly ControllerName[] | string => {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const chosen = new Set<ControllerName>(words.includes("*") ? standardControllers : []);
  for (const word of words.filter((candidate) => candidate !== "*")) {
    const name = named(word.replace(/^-/, ""));
    if (name === undefined) {
      return `there is no controller ${JSON.stringify(word)}; known are ${controllerNames.join(", ")}`;
    }
    if (!word.startsWith("-")) chosen.add(name);
  }
  for (const word of words.filter((candidate) => candidate.startsWith("-"))) chosen.delete(named(word.slice(1))!);
  return controllerNames.filter((name) => chosen.has(name));
};
