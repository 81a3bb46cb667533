/** Values travel as JSON, which is faster than the structured clone; texts as they are. */
export type Load = string | readonly string[];

/** Request to a thread. */
export interface ThreadRequest {
  readonly module: string;
  readonly name: string;
  readonly input: Load;
}

/** Answers of a thread: that it begins, its questions meanwhile, and then how it ended. */
export type ThreadAnswer =
  | { readonly kind: "begins" }
  | { readonly kind: "asks"; readonly question: string }
  | { readonly kind: "ended"; readonly output: Load }
  | { readonly kind: "failed"; readonly problem: string };

/** Reply to a question of a thread, which waits for it. */
export type ThreadReply = { readonly answer: string } | { readonly problem: string };

/** With what a thread begins. */
export interface ThreadData {
  readonly mark: typeof threadMark;
  /** One number: 1 as long as there is a reply that the thread has not taken. */
  readonly replies: Int32Array;
}

/** Tells the threads that serve evaluations from others. */
export const threadMark = "capstan evaluations";
