import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { contentReader, resolveFiles, resolveUsers } from "@capstan/kit/bootstrap";
import type { BootstrapContext, FileEntry, User } from "@capstan/kit/bootstrap";
import type { KubeadmConfig, KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";

export type Context = BootstrapContext<KubeadmConfig>;

/** A field of the KubeadmConfig that cannot be followed; trying again does not help. */
export const unusable = (
  { object }: Pick<Context, "object">,
  problem: { readonly code: string; readonly reason: string; readonly message: string },
): CapstanError =>
  new CapstanError({ ...problem, message: `${describeObject(object)}: ${problem.message}`, retry: { kind: "never" } });

/** Files and users with the contents that stand in Secrets; the stored spec is not changed. */
export const resolvedContents = async (
  { call, client, object }: Context,
  { files, users }: KubeadmConfigSpec,
): Promise<{ readonly files: readonly FileEntry[]; readonly users: readonly User[] }> => {
  const template = files?.findIndex(({ contentFormat }) => contentFormat === "Template") ?? -1;
  if (template >= 0) throw templateUnsupported(template, files?.[template]?.path ?? "");
  const read = contentReader({ client, namespace: object.metadata.namespace ?? "", call });
  return { files: await resolveFiles(files, read), users: await resolveUsers(users, read) };
};

const templateUnsupported = (index: number, path: string): CapstanError =>
  new CapstanError({
    code: "kubeadm.template_unsupported",
    reason: "ContentFormatUnsupported",
    message: `spec.files[${index}] (${path}): contentFormat Template is not supported yet; use Raw`,
    retry: { kind: "never" },
  });
