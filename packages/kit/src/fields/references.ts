import { DnsPattern } from "@capstan/kube-values";
import { object, optional, string } from "@capstan/schema";
import type { Described, Node } from "@capstan/schema";

/** A DNS-1123 subdomain, as most object names are. */
export const dnsName = (description: string, maxLength = 253): Node<string> =>
  string({ description, minLength: 1, maxLength, pattern: DnsPattern.subdomain });

/** A DNS-1123 label, as namespaces are. */
export const namespaceName = (description: string): Node<string> =>
  string({ description, minLength: 1, maxLength: 63, pattern: DnsPattern.label });

const kindName = (): Node<string> =>
  string({
    description: "Kind of the object.",
    minLength: 1,
    maxLength: 63,
    pattern: "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$",
  });

/** Names an object of a provider; its version follows from the contract, its namespace is the referrer's. */
export interface ContractReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

export const contractReference = (options: Described): Node<ContractReference> =>
  object(
    {
      apiGroup: dnsName("API group of the object."),
      kind: kindName(),
      name: dnsName("Name of the object."),
    },
    options,
  );

/** Names a template with its full API version. */
export interface TemplateReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export const templateReference = (options: Described): Node<TemplateReference> =>
  object(
    {
      apiVersion: string({
        description: "API group and version of the template.",
        minLength: 1,
        maxLength: 317,
        pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/[a-z]([-a-z0-9]*[a-z0-9])?$",
      }),
      kind: kindName(),
      name: dnsName("Name of the template."),
    },
    options,
  );

/** Names a ClusterClass. */
export const clusterClassReference = () =>
  object(
    {
      name: dnsName("Name of the ClusterClass."),
      namespace: optional(namespaceName("Namespace of the ClusterClass; the Cluster's own by default.")),
    },
    { description: "The ClusterClass that the Cluster follows." },
  );
