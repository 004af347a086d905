/** The default folder of a report. */
export const REPORT_FOLDER = 'cassette-report'
