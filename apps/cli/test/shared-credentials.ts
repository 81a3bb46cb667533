/** The namespace in which the credentials are. */
export const sharedNamespace = "shared";

const names = ["orchid-credentials", "orchid-object-store"] as const;

/** The manifest of `examples/linode/large-bootstrap.yaml` with the credentials of the cloud and of the object store in another namespace. */
export const withSharedCredentials = (manifest: string): string => {
  const moved = names.reduce(
    (text, name) =>
      text
        .replace(`metadata:\n  name: ${name}\n`, `metadata:\n  name: ${name}\n  namespace: ${sharedNamespace}\n`)
        .replaceAll(
          new RegExp(`^( +)name: ${name}$(?!\n +(?:namespace|labels):)`, "gm"),
          `$1name: ${name}\n$1namespace: ${sharedNamespace}`,
        ),
    manifest,
  );
  return `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${sharedNamespace}}\n---\n${moved}`;
};
