import type { KubeObject } from "@capstan/schema";
import type { PrinterColumn } from "../../model/types.ts";
import { humanDuration } from "../../table/age.ts";
import { endpointText, eventColumns, nodeColumns, serviceColumns } from "./cluster-columns.ts";
import {
  ageColumn,
  at,
  column,
  count,
  createdColumn,
  joined,
  nameColumn,
  numberAt,
  orNone,
  partAt,
  partsAt,
  statusNumber,
  textAt,
  wide,
} from "../../table/column.ts";
import { podColumns } from "./pod-columns.ts";
import { policyColumns } from "./policy-columns.ts";
import { storageColumns } from "./storage-columns.ts";
import { workloads } from "./workload-columns.ts";

type Columns = readonly PrinterColumn[];

const members =
  (...fields: readonly string[]) =>
  (object: KubeObject): number =>
    fields.reduce((sum, field) => sum + Object.keys(partAt(object, field)).length, 0);

const subjects =
  (kind: string) =>
  (object: KubeObject): string =>
    partsAt(object, "subjects")
      .filter((subject) => subject["kind"] === kind)
      .map((subject) =>
        kind === "ServiceAccount"
          ? `${textAt(subject, "namespace")}/${textAt(subject, "name")}`
          : textAt(subject, "name"),
      )
      .join(", ");

const bindingColumns: Columns = [
  nameColumn,
  column(
    "Role",
    "Role that is given.",
    (object) => `${textAt(object, "roleRef", "kind")}/${textAt(object, "roleRef", "name")}`,
  ),
  ageColumn,
  wide(column("Users", "Users it is given to.", subjects("User"))),
  wide(column("Groups", "Groups it is given to.", subjects("Group"))),
  wide(column("ServiceAccounts", "ServiceAccounts it is given to.", subjects("ServiceAccount"))),
];

const webhookColumns: Columns = [
  nameColumn,
  count("Webhooks", "Number of webhooks.", (object) => partsAt(object, "webhooks").length),
  ageColumn,
];

const createdColumns: Columns = [nameColumn, createdColumn];

const amount =
  (field: string) =>
  (object: KubeObject): string => {
    const value = at(object, "spec", field);
    return value === undefined || value === null ? "N/A" : String(value);
  };

const availability = (object: KubeObject): string => {
  const condition = partsAt(object, "status", "conditions").find((one) => one["type"] === "Available");
  if (condition === undefined) {
    return "Unknown";
  }
  return condition["status"] === "True" ? "True" : `${textAt(condition, "status")} (${textAt(condition, "reason")})`;
};

const requestCondition = (object: KubeObject): string => {
  const types = partsAt(object, "status", "conditions").map((condition) => textAt(condition, "type"));
  const decision = ["Denied", "Approved"].find((type) => types.includes(type)) ?? "Pending";
  return [
    decision,
    ...(types.includes("Failed") ? ["Failed"] : []),
    ...(textAt(object, "status", "certificate") === "" ? [] : ["Issued"]),
  ].join(",");
};

const special: Readonly<Record<string, Columns>> = {
  "/configmaps": [nameColumn, column("Data", "Number of entries.", members("data", "binaryData")), ageColumn],
  "/endpoints": [nameColumn, column("Endpoints", "The first addresses and ports.", endpointText), ageColumn],
  "/events": eventColumns,
  "/namespaces": [
    nameColumn,
    column("Status", "Active or Terminating.", (object) => textAt(object, "status", "phase")),
    ageColumn,
  ],
  "/nodes": nodeColumns,
  "/pods": podColumns,
  "/secrets": [
    nameColumn,
    column("Type", "What the Secret is for.", (object) => textAt(object, "type")),
    column("Data", "Number of entries.", members("data")),
    ageColumn,
  ],
  "/services": serviceColumns,
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookColumns,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookColumns,
  "apiextensions.k8s.io/customresourcedefinitions": createdColumns,
  "apiregistration.k8s.io/apiservices": [
    nameColumn,
    column("Service", "Who serves the version.", (object) => {
      const service = partAt(object, "spec", "service");
      return service["name"] === undefined ? "Local" : `${textAt(service, "namespace")}/${textAt(service, "name")}`;
    }),
    column("Available", "Whether it is served.", availability),
    ageColumn,
  ],
  "certificates.k8s.io/certificatesigningrequests": [
    nameColumn,
    ageColumn,
    column("SignerName", "Who shall sign.", (object) => textAt(object, "spec", "signerName")),
    column("Requestor", "Who asked.", (object) => textAt(object, "spec", "username")),
    column("RequestedDuration", "How long the certificate shall be valid.", (object) => {
      const seconds = at(object, "spec", "expirationSeconds");
      return typeof seconds === "number" ? humanDuration(seconds) : "<none>";
    }),
    column("Condition", "What was decided.", requestCondition),
  ],
  "coordination.k8s.io/leases": [
    nameColumn,
    column("Holder", "Who holds the lease.", (object) => textAt(object, "spec", "holderIdentity")),
    ageColumn,
  ],
  "discovery.k8s.io/endpointslices": [
    nameColumn,
    column("AddressType", "Kind of addresses.", (object) => textAt(object, "addressType")),
    column("Ports", "Ports of every endpoint.", (object) =>
      joined(partsAt(object, "ports").map((port) => String(port["port"] ?? "*"))),
    ),
    column("Endpoints", "Addresses.", (object) =>
      joined(partsAt(object, "endpoints").flatMap((endpoint) => (endpoint["addresses"] ?? []) as readonly string[])),
    ),
    ageColumn,
  ],
  "events.k8s.io/events": eventColumns,
  "policy/poddisruptionbudgets": [
    nameColumn,
    column("Min Available", "Pods that must stay.", amount("minAvailable")),
    column("Max Unavailable", "Pods that may be missing.", amount("maxUnavailable")),
    count("Allowed Disruptions", "Pods that may go now.", statusNumber("disruptionsAllowed")),
    ageColumn,
  ],
  "rbac.authorization.k8s.io/clusterrolebindings": bindingColumns,
  "rbac.authorization.k8s.io/clusterroles": createdColumns,
  "rbac.authorization.k8s.io/rolebindings": bindingColumns,
  "rbac.authorization.k8s.io/roles": createdColumns,
  "scheduling.k8s.io/priorityclasses": [
    nameColumn,
    count("Value", "Priority; higher goes first.", (object) => numberAt(object, "value")),
    {
      ...column(
        "Global-Default",
        "Given to Pods that name no class.",
        (object) => at(object, "globalDefault") === true,
      ),
      type: "boolean",
    },
    ageColumn,
    column("PreemptionPolicy", "Whether Pods push others away.", (object) =>
      orNone(textAt(object, "preemptionPolicy")),
    ),
  ],
};

const known: Readonly<Record<string, Columns>> = { ...special, ...workloads, ...storageColumns, ...policyColumns };

/** All columns of a built-in kind, named `group/plural`; the name and the age unless more is known. */
export const builtinColumns = (resource: string): Columns => known[resource] ?? [nameColumn, ageColumn];
