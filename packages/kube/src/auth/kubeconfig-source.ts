/** `from`: the service account of the Pod this process runs in, or kubectl's usual places. */
export type KubeconfigSource = (
  | { readonly file: string }
  | { readonly text: string }
  | { readonly from: "cluster" | "default" }
) & {
  /** Default: the current context. */
  readonly context?: string;
};
