// The look of the panels beside a view.
import { addRules } from '../rules.js'
import rules from './panel.css'

addRules(rules)
