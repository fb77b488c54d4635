package attribute_test

import (
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

// TestRemarksOfModels: what a model says of its answer, of the passages or of itself claims nothing, in whatever words; the same words about the subject do.
func TestRemarksOfModels(t *testing.T) {
	for s, claim := range map[string]bool{
		"Based on the given passages, there is no clear answer to this question.":        false,
		"There isn't a definitive answer in the passages.":                               false,
		"There is no single cause of garlic rust.":                                       true,
		"There is no one way to plant garlic.":                                           true,
		"The answer is yes.":                                                             false,
		"The answer is the fall.":                                                        true,
		"The answer to this question depends on a variety of factors.":                   false,
		"The price depends on the season.":                                               true,
		"The question asks about the best time to plant garlic.":                         false,
		"The question of who owns the land was settled by the court.":                    true,
		"I understand that you are looking for information about garlic.":                false,
		"You asked the wrong person, said the gardener.":                                 true,
		"Please note that this information may not be up to date.":                       false,
		"This information is public under state law.":                                    true,
		"This information is based on a survey of gardeners.":                            true,
		"The above information is taken from passage 2.":                                 false,
		"Please note that I am not a lawyer, and this is not legal advice.":              false,
		"Please note that garlic needs full sun.":                                        true,
		"As mentioned above, the passages do not state this.":                            false,
		"As stated earlier, garlic needs full sun.":                                      true,
		"Remember, this is general information and not medical advice.":                  false,
		"This is general knowledge among farmers.":                                       true,
		"Note that these are only estimates.":                                            false,
		"These are annual plants.":                                                       true,
		"Each passage offers a different perspective.":                                   false,
		"Each passage through the canal takes a day.":                                    true,
		"There is some disagreement among the passages.":                                 false,
		"More details can be found in passage 2.":                                        false,
		"More information was released in May.":                                          true,
		"By following these steps, you should be able to do it yourself.":                false,
		"By following a low-salt diet, you can lower your blood pressure.":               true,
		"By following these rules, farmers avoided the tax.":                             true,
		"Ultimately, the decision comes down to personal preference.":                    false,
		"The choice of variety depends on the climate.":                                  true,
		"Ultimately, the decision is up to the landlord.":                                true,
		"Without more information, it is difficult to say for certain.":                  false,
		"Without knowing more about your situation, it's hard to give a precise answer.": false,
		"Without enough sun, it is difficult to grow garlic.":                            true,
		"The first two passages are not relevant to the question.":                       false,
		"The first passage was found in 1853.":                                           true,
		"The given passages only provide information about planting.":                    false,
		"Passages 1 and 3 do not provide any relevant information.":                      false,
		"Passages 2 and 3 of the cave are flooded.":                                      true,
		"I would need more information to answer that.":                                  false,
		"Not enough information is provided.":                                            false,
		"Insufficient water stunts the bulbs.":                                           true,
		"No specific date is given in the passages.":                                     false,
		"No exact date is known for the battle.":                                         true,
		"To answer the question based on the passages provided:":                         false,
		"The answer to your question can't be determined from the passages.":             false,
		"It's difficult to answer this question without knowing the location.":           false,
		"It is difficult to answer for a crime that was never tried.":                    true,
		"Unfortunately, none of the provided passages answers your question.":            false,
		"Passage 2 provides some additional context.":                                    false,
		"I can only use the information in the passages.":                                false,
		"Please keep in mind that the information above may have changed.":               false,
		"The information in the file was leaked.":                                        true,
		"It all comes down to your personal preference.":                                 false,
		"This depends on several factors.":                                               false,
		"This depends on temperature, as seeds sprout late in cold soil.":                true,
		"I wish you all the best with your garden!":                                      false,
		"(See passage 3.)":                              false,
		"There you have it!":                            false,
		"You're done when the leaves are brown.":        true,
		"That's all that is left of the castle.":        true,
		"Happy gardening, and let me know how it goes!": false,
		"Not necessarily.":                              false,
		"Not necessarily, as garlic can grow in pots.":  true,
		"Source: Passage 1":                             false,
		"(Sources: passages 1 and 2)":                   false,
		"Passage 1 is a narrow corridor.":               true,
		"Source: garlic from Spain":                     true,
	} {
		if got, why := attribute.IsClaim(s, ibid.Sentence, ""); got != claim {
			t.Errorf("%q: claim %v (%s)", s, got, why)
		}
	}
}

// TestSendingOnAndOffering: who is sent on for the newest information, or to a doctor in any case, is told nothing; who is told in which case, or is free to do something
// with the subject, is.
func TestSendingOnAndOffering(t *testing.T) {
	for s, claim := range map[string]bool{
		"Please check with your local office for the most up-to-date information.":        false,
		"It is recommended to contact the store directly for more information.":           false,
		"It is recommended to check the official website for the latest information.":     false,
		"For the most accurate information, it is best to contact the company directly.":  false,
		"We recommend that you check with your provider.":                                 false,
		"Contact the nursery for current prices.":                                         true,
		"Check the roots for white mold.":                                                 true,
		"It is recommended to check the soil for nematodes.":                              true,
		"If symptoms persist, consult a doctor.":                                          false,
		"If your symptoms get worse, please see a doctor.":                                false,
		"If you have excessive wax, you should visit your doctor.":                        true,
		"If the swelling spreads to the neck, see a doctor.":                              true,
		"You should see a doctor if the swelling lasts more than a week.":                 true,
		"It is best to speak to your doctor if you have any questions.":                   false,
		"You should see a doctor if the pain persists.":                                   false,
		"Before starting any new supplement, talk to your doctor.":                        false,
		"As with any medication, it's important to talk to your doctor before taking it.": false,
		"Talk to your doctor before taking garlic supplements with blood thinners.":       true,
		"Feel free to ask.": false,
		"Please feel free to reach out with more questions.": false,
		"Feel free to remove the lower leaves at any time.":  true,
		"Don't hesitate to contact me.":                      false,
		"Do not hesitate to cut the scapes off.":             true,
		"Please provide more details.":                       false,
		"Please provide proof of residence.":                 true,
		"I hope the information above is useful.":            false,
		"I hope the rain will stop, he wrote.":               true,
	} {
		if got, why := attribute.IsClaim(s, ibid.Sentence, ""); got != claim {
			t.Errorf("%q: claim %v (%s)", s, got, why)
		}
	}
}
