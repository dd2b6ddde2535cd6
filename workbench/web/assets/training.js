// @ts-check
// Follows a training run. All of its curves show the values of the same minute.
import "/live.js";
import "/chart.js";
