export type PermissionVerbV1 = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete";

/** What a controller does with one resource of the management API: the source of its role. */
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
  /** What the controller itself does. */
  readonly own: readonly PermissionV1[];
  /** What the core controllers do with the kind because Clusters and Machines refer to it. */
  readonly core?: readonly PermissionV1[];
}
