import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { contentReader, resolveFiles, resolveUsers } from "@capstan/kit/bootstrap";
import type { FileEntry, User } from "@capstan/kit/bootstrap";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";
import { withRenderedTemplates } from "./file-templates.ts";
import type { Context } from "./uses.ts";

/** A field of the KubeadmConfig that cannot be followed; retrying does not help. */
export const unusable = (
  { object }: Pick<Context, "object">,
  problem: { readonly code: string; readonly reason: string; readonly message: string },
): CapstanError =>
  new CapstanError({ ...problem, message: `${describeObject(object)}: ${problem.message}`, retry: { kind: "never" } });

/** Files and users with the contents that stand in Secrets; the stored spec is not changed. */
export const resolvedContents = async (
  context: Context,
  { files, users }: KubeadmConfigSpec,
): Promise<{ readonly files: readonly FileEntry[]; readonly users: readonly User[] }> => {
  const { call, client, object, watchSecret } = context;
  const read = contentReader({ client, namespace: object.metadata.namespace ?? "", call, watchSecret });
  const resolved = await resolveFiles(files, read);
  return { files: await withRenderedTemplates(context, files, resolved), users: await resolveUsers(users, read) };
};
