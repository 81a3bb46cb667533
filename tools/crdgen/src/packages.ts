import * as composite from "@capstan/bootstrap-composite/api";
import * as kubeadm from "@capstan/bootstrap-kubeadm/api";
import * as core from "@capstan/core/api";
import * as linode from "@capstan/infra-linode/api";
import { isKind } from "@capstan/schema";
import type { Kind } from "@capstan/schema";

/** A package with kinds of its own. */
export interface ApiPackage {
  /** Folder below the repository's root. */
  readonly folder: string;
  /** The stored version of each kind. */
  readonly kinds: readonly Kind[];
}

const kindsOf = (api: Readonly<Record<string, unknown>>): readonly Kind[] =>
  Object.values(api)
    .filter((value) => typeof value === "object" && value !== null && "kind" in value)
    .map((value) => value as Kind)
    .filter((value) => isKind(value) && value.storage)
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));

/** Every package that defines kinds: a new provider is added here. */
export const apiPackages: readonly ApiPackage[] = [
  { folder: "packages/core", kinds: kindsOf(core) },
  { folder: "packages/bootstrap-composite", kinds: kindsOf(composite) },
  { folder: "packages/bootstrap-kubeadm", kinds: kindsOf(kubeadm) },
  { folder: "packages/infra-linode", kinds: kindsOf(linode) },
];
