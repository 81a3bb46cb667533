import type { KubeObject } from "@capstan/schema";
import { partOf, textOf } from "../../values/object-parts.ts";
import { type Causes, required } from "./causes.ts";
import { dataKeyCauses, dataSizeCauses } from "./data-values.ts";

const accountAnnotation = "kubernetes.io/service-account.name";

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

const typeCauses = (object: KubeObject): Causes => {
  const data = partOf(object["data"]);
  const type = textOf(object["type"]);
  if (type === "kubernetes.io/service-account-token") {
    return textOf(object.metadata.annotations?.[accountAnnotation]) === ""
      ? [required(`metadata.annotations[${accountAnnotation}]`)]
      : [];
  }
  if (type === "kubernetes.io/basic-auth") {
    return data["username"] === undefined && data["password"] === undefined
      ? ["username", "password"].map((key) => required(`data[${key}]`))
      : [];
  }
  const keys = requiredKeys[type] ?? [];
  return keys.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`));
};

export const secretCauses = (object: KubeObject): Causes => [
  ...dataKeyCauses("data", object["data"]),
  ...dataSizeCauses("data", undefined, object["data"]),
  ...typeCauses(object),
];
