export type PermissionVerbV1 = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete";

/** The verbs that a controller needs on one resource of the management API, from which its role is generated. */
export interface PermissionV1 {
  readonly group: string;
  /** Plural, with a subresource behind a slash: `machines/status`. */
  readonly resource: string;
  /** Verbs that every ordinary run uses. */
  readonly verbs: readonly PermissionVerbV1[];
  /** Verbs that only some runs use, each with the occasion. */
  readonly rarely?: Readonly<Partial<Record<PermissionVerbV1, string>>>;
  /** For kinds without namespaces. Default true. */
  readonly namespaced?: boolean;
}

export interface ControllerPermissionsV1 {
  /** Verbs of the controller itself. */
  readonly own: readonly PermissionV1[];
  /** Verbs of the core controllers on the kind, because Clusters and Machines reference it. */
  readonly core?: readonly PermissionV1[];
}
