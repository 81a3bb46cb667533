import { isDnsSubdomain, fromBase64 } from "@capstan/kube-values";
import { readCertificates } from "@capstan/pki";
import { requestSubject } from "@capstan/pki/requests";
import { type KubeObject, sameJson } from "@capstan/schema";
import { listOf, type Part, partOf, specOf, statusOf, textOf } from "../../values/object-parts.ts";
import { between, type Causes, forbidden, immutable, invalid, oneOf, required, unique } from "./causes.ts";

const knownUsages = [
  "signing",
  "digital signature",
  "content commitment",
  "key encipherment",
  "key agreement",
  "data encipherment",
  "cert sign",
  "crl sign",
  "encipher only",
  "decipher only",
  "any",
  "server auth",
  "client auth",
  "code signing",
  "email protection",
  "s/mime",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "timestamping",
  "ocsp signing",
  "microsoft sgc",
  "netscape sgc",
];

const minimumSeconds = 600;

const legacySigner = "kubernetes.io/legacy-unknown";

/** Condition types that only the subresource `approval` sets. */
const decisions: readonly unknown[] = ["Approved", "Denied"];

export const pemOf = (value: unknown): string => fromBase64(textOf(value));

export const requestCauses = (value: unknown): Causes => {
  if (textOf(value) === "") {
    return [required("spec.request")];
  }
  try {
    requestSubject(pemOf(value));
    return [];
  } catch {
    return [invalid("spec.request", value, "PEM block type must be CERTIFICATE REQUEST")];
  }
};

const signerCauses = (value: unknown): Causes => {
  const signer = textOf(value);
  if (signer === "") {
    return [required("spec.signerName")];
  }
  if (signer === legacySigner) {
    return [invalid("spec.signerName", signer, "the legacy signerName is not allowed via this API version")];
  }
  const [domain = "", path = "", ...more] = signer.split("/");
  const isName = isDnsSubdomain(domain) && domain.includes(".");
  return isName && path !== "" && more.length === 0
    ? []
    : [
        invalid(
          "spec.signerName",
          signer,
          'must be a fully qualified domain and path of the form "example.com/signer-name"',
        ),
      ];
};

export const conditionsOf = (object: KubeObject): readonly Part[] => listOf(statusOf(object)["conditions"]).map(partOf);

const field = (index: number): string => `status.conditions[${index}]`;

export const requestConditionCauses = (object: KubeObject): Causes => {
  const conditions = conditionsOf(object);
  const types = conditions.map(({ type }) => type);
  return [
    ...conditions.flatMap(({ type, status }, index): Causes => {
      const fixed = [...decisions, "Failed"].includes(type);
      return [
        ...(textOf(type) === "" ? [required(`${field(index)}.type`)] : []),
        ...(textOf(status) === ""
          ? [required(`${field(index)}.status`)]
          : oneOf(`${field(index)}.status`, status, fixed ? ["True"] : ["True", "False", "Unknown"])),
      ];
    }),
    ...unique(
      conditions,
      (condition) => partOf(condition)["type"],
      (index) => `${field(index)}.type`,
    ),
    ...(decisions.every((type) => types.includes(type))
      ? [invalid(`${field(1)}.type`, types[1], "Approved and Denied conditions are mutually exclusive")]
      : []),
  ];
};

export const certificateCauses = (value: unknown): Causes => {
  if (value === undefined || value === "") {
    return [];
  }
  try {
    return readCertificates(pemOf(value)).length > 0
      ? []
      : [invalid("status.certificate", "<certificate data>", "must contain a certificate")];
  } catch {
    return [invalid("status.certificate", "<certificate data>", "must be PEM of certificates")];
  }
};

export const newRequestCauses = (object: KubeObject): Causes => {
  const { request, signerName, usages, expirationSeconds } = specOf(object);
  const given = listOf(usages);
  return [
    ...requestCauses(request),
    ...signerCauses(signerName),
    ...(given.length === 0 ? [required("spec.usages", "usages must not be empty")] : []),
    ...given.flatMap((usage, index) => oneOf(`spec.usages[${index}]`, usage, knownUsages)),
    ...unique(
      given,
      (usage) => usage,
      (index) => `spec.usages[${index}]`,
    ),
    ...between("spec.expirationSeconds", expirationSeconds, minimumSeconds),
    ...requestConditionCauses(object),
    ...certificateCauses(statusOf(object)["certificate"]),
  ];
};

const decided = (object: KubeObject): readonly Part[] =>
  conditionsOf(object).filter(({ type }) => decisions.includes(type));

export const requestUpdateCauses = (object: KubeObject, old: KubeObject, subresource: string): Causes => {
  const before = statusOf(old)["certificate"];
  const isIssued = before !== undefined && before !== "";
  const kept = decided(old).every((condition) => decided(object).some(({ type }) => type === condition["type"]));
  return [
    ...(sameJson(object["spec"], old["spec"]) ? [] : [immutable("spec", object["spec"])]),
    ...(isIssued && statusOf(object)["certificate"] !== before
      ? [forbidden("status.certificate", "updates may not change an issued certificate")]
      : []),
    ...(subresource === "approval" && !kept
      ? [forbidden("status.conditions", "updates may not remove a condition of type Approved or Denied")]
      : []),
    ...(subresource === "approval" ? [] : changedDecisions(object, old)),
  ];
};

const changedDecisions = (object: KubeObject, old: KubeObject): Causes =>
  sameJson(decided(object), decided(old))
    ? []
    : [forbidden("status.conditions", "updates may not add, change or remove a condition of type Approved or Denied")];
