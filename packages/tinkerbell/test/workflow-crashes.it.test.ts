import { testWorkflowCrashes } from "./workflow-crashes.ts";

testWorkflowCrashes({ every: 19 });
