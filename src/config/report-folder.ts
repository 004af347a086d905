/** Where a report is written if nobody says where. */
export const REPORT_FOLDER = 'cassette-report'
