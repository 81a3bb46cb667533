import type { ControllerV1 } from "@capstan/contract/v1";
import { granted, leaderElection, mergePermissions, type Subject } from "@capstan/kit";
import type { KubeObject } from "@capstan/schema";
import { createTinkerbellProvider, type TinkerbellPart } from "@capstan/tinkerbell";
import { leaseOf } from "../serve/parts.ts";

export interface AccountOptions {
  /** Each of them gets an account of its own, `capstan-metal-<part>`. */
  readonly parts: readonly TinkerbellPart[];
  /** Namespaces whose objects they work with; empty for all. */
  readonly namespaces: readonly string[];
  /** The namespace of the accounts and of the Leases. */
  readonly systemNamespace: string;
}

/** Addresses do not matter here: only declarations of the controllers are read. */
const services = { address: "127.0.0.1", dhcp: { mode: "reservation" }, ipxeFolder: "/", syslog: true } as const;

const controllersOf = (part: TinkerbellPart): readonly ControllerV1[] => {
  const controllers: ControllerV1[] = [];
  createTinkerbellProvider({ parts: [part], services }).register({ add: (each) => controllers.push(each) });
  return controllers;
};

const accountOf = (part: TinkerbellPart, { namespaces, systemNamespace }: AccountOptions): readonly KubeObject[] => {
  const subject: Subject = { kind: "ServiceAccount", name: `capstan-metal-${part}`, namespace: systemNamespace };
  const permissions = mergePermissions(controllersOf(part).flatMap(({ permissions: declared }) => declared?.own ?? []));
  const lease = leaseOf([part]);
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: subject.name, namespace: subject.namespace } },
    ...granted(subject.name, permissions, subject, { namespaces }),
    ...(lease === undefined ? [] : leaderElection(subject, [lease])),
  ];
};

/** Returns a ServiceAccount for each part, with the roles that its controllers declare and nothing more. */
export const accountsOf = (options: AccountOptions): readonly KubeObject[] =>
  options.parts.flatMap((part) => accountOf(part, options));
