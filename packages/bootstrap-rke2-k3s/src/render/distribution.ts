import type { FileEntry } from "@capstan/kit/bootstrap";
import type { NodeInput, Source } from "./node-input.ts";
import type { ReferenceRow } from "./reference-row.ts";
import type { Row } from "./row.ts";
import type { VersionForm } from "./versions.ts";

/** Installer of a distribution. */
export interface Installer {
  /** Where its script is. */
  readonly url: string;
  readonly versionVariable: string;
  readonly roleVariable: string;
  /** Variable that makes the script use files of the image. */
  readonly offline: string;
  /** Variables that users do not set: they decide what is installed, as what, and whether it starts. */
  readonly ownVariables: readonly string[];
  /** True if the script enables and starts the service too. */
  readonly starts: boolean;
}

/** All in which the distributions differ: the renderer and the controllers ask for no name. */
export interface Distribution {
  readonly name: "k3s" | "rke2";
  readonly configDirectory: string;
  readonly dataDirectory: string;
  readonly version: VersionForm;
  /** Authorities by purpose, with their files below `server/tls`. */
  readonly authorities: readonly { readonly purpose: string; readonly file: string }[];
  /** Key of config.yaml that makes a server begin a cluster. */
  readonly initKey?: string;
  readonly installer: Installer;
  readonly services: { readonly server: string; readonly agent: string };
  readonly rows: readonly Row[];
  readonly references: readonly ReferenceRow[];
  /** Scripts that run after the installer, each a file. */
  readonly hardening?: (input: NodeInput) => readonly FileEntry[];
  /** Manifests of servers, by file name. */
  readonly manifests?: (input: NodeInput) => Readonly<Record<string, string>>;
}

/** Directory of the data: the user's own, or the distribution's. */
export const dataDirectory = (distribution: Distribution, { agent }: Source): string => {
  const own = agent["dataDir"];
  return typeof own === "string" && own !== "" ? own.replace(/\/+$/, "") : distribution.dataDirectory;
};
