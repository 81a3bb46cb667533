/** Names an object; without a namespace, in that of the referrer. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string | undefined;
}
