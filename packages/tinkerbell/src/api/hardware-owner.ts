const domain = "v1alpha1.tinkerbell.org";

/** On Hardware: the machine of a Cluster that has it. */
export const hardwareOwnerLabels = { name: `${domain}/ownerName`, namespace: `${domain}/ownerNamespace` } as const;

/** On Hardware: the workflow of the machine that has it has succeeded. */
export const provisionedAnnotation = `${domain}/provisioned`;

/**
 * On a Namespace, by an administrator: `trusted`, its Hardware counts before that of other namespaces that describes the same machine;
 * `shared`, machines of other namespaces may take it, too.
 */
export const hardwareNamespaceLabel = "capstan.dev/hardware";
