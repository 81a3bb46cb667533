/** Values travel as JSON, which is faster than the structured clone; texts as they are. */
export type Load = string | readonly string[];

/** What a thread is asked. */
export interface ThreadRequest {
  readonly module: string;
  readonly name: string;
  readonly input: Load;
}

/** What it answers: that it begins, what it asks in between, and then how it ended. */
export type ThreadAnswer =
  | { readonly kind: "begins" }
  | { readonly kind: "asks"; readonly question: string }
  | { readonly kind: "ended"; readonly output: Load }
  | { readonly kind: "failed"; readonly problem: string };

/** What a thread is answered when it asks; it waits for that. */
export type ThreadReply = { readonly answer: string } | { readonly problem: string };

/** With what a thread begins. */
export interface ThreadData {
  readonly mark: typeof threadMark;
  /** One number: 1 as long as there is a reply that the thread has not taken. */
  readonly replies: Int32Array;
}

/** Tells the threads that serve evaluations from others. */
export const threadMark = "capstan evaluations";
