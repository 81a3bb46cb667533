import { CapstanError } from "@capstan/contract";
import {
  type BootstrapContext,
  type Data,
  dataReader,
  exactFile,
  type FileEntry,
  type FileSource,
  type ReadData,
  requireKey,
  withContent,
} from "@capstan/kit/bootstrap";
import type { KubeObject, ObjectReference } from "@capstan/schema";
import type { Distribution } from "../render/distribution.ts";
import type { NodeInput, Role, Source } from "../render/node-input.ts";
import { referencesOf } from "../render/references.ts";
import { registryFiles, type RegistrySecrets } from "../render/registries.ts";
import { valueAt } from "../render/row.ts";
import type { Sections } from "./config-kind.ts";

/** Parts of a document that come from other objects. */
export type Contents = Pick<NodeInput, "files" | "manifests" | "references" | "registryFiles">;

const placeOf = ({ name = "", namespace = "" }: ObjectReference) => ({ name, ...(namespace !== "" && { namespace }) });

/** A content that stands elsewhere arrives byte by byte; an encoding of the user's says what the content is already. */
const resolveFile = async ({ contentFrom, ...file }: FileSource, field: string, read: ReadData): Promise<FileEntry> => {
  if (contentFrom === undefined) return file;
  const { secret, configMap } = contentFrom;
  const key = secret?.key ?? configMap?.key ?? "";
  const content = requireKey(await read(contentFrom, field), key, `${field} ${secret?.name ?? configMap?.name ?? ""}`);
  if (content.length === 0) {
    throw new CapstanError({
      code: "bootstrap.content_missing",
      reason: "ContentMissing",
      message: `${field}: the key ${JSON.stringify(key)} is empty; add the content`,
    });
  }
  const { encoding, ...plain } = file;
  return encoding === undefined ? exactFile(plain, content) : withContent(file, content, field);
};

const referencedData = async (
  distribution: Distribution,
  { role, source }: { readonly role: Role; readonly source: Source },
  { places, read }: { readonly places: Sections["places"]; readonly read: ReadData },
): Promise<ReadonlyMap<string, Data>> => {
  const found = new Map<string, Data>();
  for (const { from, object } of referencesOf(distribution, { role })) {
    const reference = valueAt(source, from) as ObjectReference | undefined;
    if (reference?.name === undefined || reference.name === "") continue;
    const field = from.replace(/^(agent|server)/, (section) => places[section as keyof typeof places]);
    found.set(from, await read({ [object]: placeOf(reference) }, field));
  }
  return found;
};

const registrySecrets = async (
  registries: NonNullable<Sections["registries"]>,
  read: ReadData,
): Promise<ReadonlyMap<string, RegistrySecrets>> => {
  const found = new Map<string, RegistrySecrets>();
  for (const [host, { authSecret, tls }] of Object.entries(registries.configs ?? {})) {
    const field = `spec.privateRegistriesConfig.configs.${host}`;
    const secret = (reference: ObjectReference | undefined, name: string) =>
      reference === undefined ? undefined : read({ secret: placeOf(reference) }, `${field}.${name}`);
    const auth = await secret(authSecret, "authSecret");
    const certificates = await secret(tls?.tlsConfigSecret, "tls.tlsConfigSecret");
    found.set(host, {
      ...(auth !== undefined && { auth }),
      ...(certificates !== undefined && { tls: certificates }),
    });
  }
  return found;
};

/** Everything that stands in Secrets and ConfigMaps. Throws `bootstrap.content_missing`, `bootstrap.content_invalid` and `distribution.reference_incomplete`. */
export const readContents = async <O extends KubeObject>(
  { call, client, object, watchSecret }: BootstrapContext<O>,
  sections: Sections,
  node: { readonly distribution: Distribution; readonly role: Role; readonly source: Source },
): Promise<Contents> => {
  const { distribution, role } = node;
  const { files, manifests, places, registries } = sections;
  const read = dataReader({ client, namespace: object.metadata.namespace ?? "", call, watchSecret });
  const resolved: FileEntry[] = [];
  for (const [index, file] of files.entries()) {
    resolved.push(await resolveFile(file, `spec.files[${index}].contentFrom`, read));
  }
  return {
    files: resolved,
    references: await referencedData(distribution, node, { places, read }),
    registryFiles:
      registries === undefined
        ? []
        : registryFiles(registries, await registrySecrets(registries, read), distribution.configDirectory),
    manifests: manifests === undefined || role === "agent" ? {} : await read({ configMap: manifests }, manifests.field),
  };
};
