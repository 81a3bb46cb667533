import type { KubeObject } from "@capstan/schema";
import { selectorText } from "../../values/selector.ts";
import type { PrinterColumn } from "../../model/types.ts";
import {
  ageColumn,
  at,
  column,
  count,
  createdColumn,
  nameColumn,
  orNone,
  partAt,
  partsAt,
  textAt,
} from "../../table/column.ts";

type Columns = readonly PrinterColumn[];

const amounts = (quota: KubeObject, isLimit: boolean): string => {
  const hard = partAt(quota, "status", "hard");
  const used = partAt(quota, "status", "used");
  return Object.keys(hard)
    .filter((name) => name.startsWith("limits.") === isLimit)
    .sort()
    .map((name) => `${name}: ${String(used[name] ?? "0")}/${String(hard[name])}`)
    .join(", ");
};

const shownHosts = 3;

const hosts = (ingress: KubeObject): string => {
  const all = partsAt(ingress, "spec", "rules")
    .map((rule) => textAt(rule, "host"))
    .filter((host) => host !== "");
  const more = all.length - shownHosts;
  return all.length === 0 ? "*" : `${all.slice(0, shownHosts).join(",")}${more > 0 ? ` + ${more} more...` : ""}`;
};

const addresses = (ingress: KubeObject): string =>
  partsAt(ingress, "status", "loadBalancer", "ingress")
    .map((entry) => textAt(entry, "ip") || textAt(entry, "hostname"))
    .join(",");

const parameters = (ingressClass: KubeObject): string => {
  const { apiGroup, kind, namespace, name } = partAt(ingressClass, "spec", "parameters");
  if (name === undefined) {
    return "<none>";
  }
  const type = apiGroup === undefined ? String(kind) : `${String(kind)}.${String(apiGroup)}`;
  return `${type}/${namespace === undefined ? "" : `${String(namespace)}/`}${String(name)}`;
};

const paramKind = (policy: KubeObject): string => {
  const { apiVersion, kind } = partAt(policy, "spec", "paramKind");
  return kind === undefined ? "<unset>" : `${String(apiVersion)}/${String(kind)}`;
};

const paramRef = (binding: KubeObject): string => {
  const reference = partAt(binding, "spec", "paramRef");
  if (Object.keys(reference).length === 0) {
    return "<unset>";
  }
  const { namespace, name } = reference;
  const subject = name === undefined ? selectorText(reference["selector"]) || "*" : String(name);
  return `${namespace === undefined || namespace === "" ? "*" : String(namespace)}/${subject}`;
};

/** Columns of kinds that rule over others, by `group/plural`. */
export const policyColumns: Readonly<Record<string, Columns>> = {
  "/limitranges": [nameColumn, createdColumn],
  "/resourcequotas": [
    nameColumn,
    column("Request", "Used of what may be requested.", (object) => amounts(object, false)),
    column("Limit", "Used of the limits.", (object) => amounts(object, true)),
    ageColumn,
  ],
  "admissionregistration.k8s.io/validatingadmissionpolicies": [
    nameColumn,
    count("Validations", "Number of rules.", (object) => partsAt(object, "spec", "validations").length),
    column("ParamKind", "Kind of its parameters.", paramKind),
    ageColumn,
  ],
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": [
    nameColumn,
    column("PolicyName", "Policy that is bound.", (object) => textAt(object, "spec", "policyName")),
    column("ParamRef", "Its parameters.", paramRef),
    ageColumn,
  ],
  "networking.k8s.io/ingressclasses": [
    nameColumn,
    column("Controller", "Who serves the class.", (object) => textAt(object, "spec", "controller")),
    column("Parameters", "Its parameters.", parameters),
    ageColumn,
  ],
  "networking.k8s.io/ingresses": [
    nameColumn,
    column("Class", "Class of Ingress.", (object) => orNone(textAt(object, "spec", "ingressClassName"))),
    column("Hosts", "Hosts that are served.", hosts),
    column("Address", "Addresses of the load balancer.", addresses),
    column("Ports", "Ports that are served.", (object) =>
      partsAt(object, "spec", "tls").length > 0 ? "80, 443" : "80",
    ),
    ageColumn,
  ],
  "networking.k8s.io/networkpolicies": [
    nameColumn,
    column("Pod-Selector", "Pods it is about.", (object) => orNone(selectorText(at(object, "spec", "podSelector")))),
    ageColumn,
  ],
  "node.k8s.io/runtimeclasses": [
    nameColumn,
    column("Handler", "Handler of the container runtime.", (object) => textAt(object, "handler")),
    ageColumn,
  ],
};
